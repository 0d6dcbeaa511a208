"""The experiments of freitag-2007: consonants, rhymes, the transcription and the ranking of names."""
