"""Sixteen float32 side by side as one value in kernels, in the machine's widest registers.

A loop over sixteen lanes of several arrays is not made into vector operations by the compiler, which cannot know that
the arrays do not overlap. Here it is told: `row` takes sixteen numbers out of an array, `put` puts them back, and
between the two they are added and multiplied like single ones, in the same order and with the same bits. As in every
kernel, a product that is added at once is not rounded before; where two are, `add_product` says which.
"""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

from cepts.running.kernel import helper

LANES = 16  # pairs that are worked on side by side; one cache line of float32

_VECTOR = ir.VectorType(ir.FloatType(), LANES)


class Row(types.Type):  # type: ignore[misc]
    """Sixteen numbers."""

    def __init__(self) -> None:
        super().__init__("Row")


_ROW = Row()


@register_model(Row)
class _RowModel(models.PrimitiveModel):  # type: ignore[misc]
    """Sixteen numbers are one vector of LLVM's."""

    def __init__(self, manager, kind):
        super().__init__(manager, kind, _VECTOR)


def _address(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    """Point to sixteen numbers of an array; they need not begin at a multiple of their size."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), _VECTOR.as_pointer())


@intrinsic
def _load(_, array, place):
    def generate(context, builder, signature, values):
        return builder.load(_address(context, builder, signature.args[0], *values), align=4)

    return _ROW(array, place), generate


@intrinsic
def _store(_, array, place, row):
    def generate(context, builder, signature, values):
        *where, numbers = values
        builder.store(numbers, _address(context, builder, signature.args[0], *where), align=4)
        return context.get_dummy_value()

    return types.void(array, place, row), generate


@intrinsic
def _spread(_, number):  # noqa: ARG001
    def generate(context, builder, signature, values):  # noqa: ARG001
        lane = ir.Constant(ir.IntType(32), 0)
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), values[0], lane)
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(one, one, everywhere)

    return _ROW(types.float32), generate


@intrinsic
def add_product(_, total, one, two):
    """Add a product to a row; where the machine can, it is not rounded before."""

    def generate(context, builder, signature, values):  # noqa: ARG001
        kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
        fused = get_or_insert_function(builder.module, kind, f"llvm.fmuladd.v{LANES}f32")
        total, *product = values
        return builder.call(fused, [*product, total])

    return _ROW(total, one, two), generate


def _arithmetic(operation: Any, name: str) -> None:
    """Let an operator work on rows."""

    @type_callable(operation)
    def _kind(_):
        return lambda one, two: _ROW if isinstance(one, Row) and isinstance(two, Row) else None

    @lower_builtin(operation, Row, Row)
    def _generate(context, builder, signature, values):  # noqa: ARG001
        return getattr(builder, name)(*values)


_arithmetic(operator.add, "fadd")
_arithmetic(operator.sub, "fsub")
_arithmetic(operator.mul, "fmul")


@helper
def row(array, place):
    """Take the sixteen numbers of an array that begin at a place."""
    array[place + LANES - 1]  # where bounds are checked, so is this
    return _load(array, place)


@helper
def put(array, place, numbers):
    """Put sixteen numbers into an array, from a place on."""
    array[place + LANES - 1]
    _store(array, place, numbers)


@helper
def everywhere(number):
    """Sixteen times the same number."""
    return _spread(np.float32(number))
