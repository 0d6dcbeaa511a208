-- For wrk: send the bodies of a file, a line each, one after the other; write what was measured as JSON.
local bodies, turn = {}, 0

function init(arguments)
   for line in io.lines(arguments[1]) do
      bodies[#bodies + 1] = wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, line)
   end
end

function request()
   turn = turn % #bodies + 1
   return bodies[turn]
end

function done(summary, latency, requests)
   local errors = summary.errors
   io.write(string.format(
      '{"seconds": %f, "answers": %d, "p50": %f, "p99": %f, "errors": %d}\n',
      summary.duration / 1e6, summary.requests, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
      errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
