#!/usr/bin/env bash
# transformers 5.3.0: BertTokenizerFast(vocab_file=…) reads no file, and does not report it.
#
# Run: bash findings/transformers-bert-vocab-file.sh
# It needs bash and Python with venv and pip, and installs the published package in a temporary folder.
#
# Up to version 4 a BERT tokenizer was created from a vocabulary with vocab_file=PATH. In version 5 the
# argument is called vocab. vocab_file is accepted without an error or a warning and is not read: the
# tokenizer only has the five special pieces, and every word becomes [UNK]. A model then gives nearly the same
# vector for all texts of the same length, which looks like a bad model and not like a missing file.
# from_pretrained, with the folder of the same file, reads it.
#
# Output seen on 2026-11-30:
#   vocab_file=      5 pieces ['[UNK]', '[UNK]', '[UNK]']
#   vocab=           8 pieces ['why', 'did', 'we']
#   from_pretrained  8 pieces ['why', 'did', 'we']
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check transformers==5.3.0
cat >tokens.py <<'PY'
import pathlib
from transformers import BertTokenizerFast

folder = pathlib.Path('model')
folder.mkdir()
vocabulary = folder / 'vocab.txt'
vocabulary.write_text('\n'.join(['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'why', 'did', 'we']) + '\n')
for name, tokenizer in (('vocab_file=', BertTokenizerFast(vocab_file=str(vocabulary))),
                        ('vocab=', BertTokenizerFast(vocab=str(vocabulary))),
                        ('from_pretrained', BertTokenizerFast.from_pretrained(str(folder)))):
    print(f'{name:16} {len(tokenizer)} pieces', tokenizer.tokenize('why did we'))
PY
venv/bin/python tokens.py >got 2>errors || { cat errors && exit 1; }
cat >want <<'WANT'
vocab_file=      5 pieces ['[UNK]', '[UNK]', '[UNK]']
vocab=           8 pieces ['why', 'did', 'we']
from_pretrained  8 pieces ['why', 'did', 'we']
WANT
diff want got
cat got
