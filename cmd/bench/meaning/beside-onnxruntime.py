#!/usr/bin/env python3
"""Encodes the same texts by the program's encoder and by onnxruntime, int8, one thread each.

    pip install torch transformers safetensors onnx onnxruntime tokenizers
    python3 beside-onnxruntime.py FOLDER      # of the model that the encoder was made from, see README.md

The texts are 32 of 45 pieces, and one of 16 as a question has. onnxruntime gets the weights quantised by its own
quantize_dynamic, and computes the texts of one length as one batch. The best of five runs counts."""
import os, re, subprocess, sys, tempfile, time
import numpy as np, onnxruntime, torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.torch import load_file
from transformers import BertConfig, BertModel

folder = sys.argv[1]
weights = {re.sub('LayerNorm.gamma', 'LayerNorm.weight', re.sub('LayerNorm.beta', 'LayerNorm.bias', k)): v.float()
           for k, v in load_file(os.path.join(folder, 'model.safetensors')).items()}
rows, dims = weights['embeddings.word_embeddings.weight'].shape
layers = 1 + max(int(m.group(1)) for m in (re.match(r'encoder\.layer\.(\d+)\.', k) for k in weights) if m)
model = BertModel(BertConfig(vocab_size=rows, hidden_size=dims, num_hidden_layers=layers, num_attention_heads=12,
                             intermediate_size=4 * dims, attn_implementation='eager',
                             max_position_embeddings=weights['embeddings.position_embeddings.weight'].shape[0]), add_pooling_layer=False)
model.load_state_dict(weights, strict=False)


class Mean(torch.nn.Module):
    def __init__(self, bert):
        super().__init__()
        self.bert = bert

    def forward(self, ids):
        return torch.nn.functional.normalize(self.bert(input_ids=ids).last_hidden_state.mean(1), dim=-1)


with tempfile.TemporaryDirectory() as temp:
    whole, small = os.path.join(temp, 'whole.onnx'), os.path.join(temp, 'int8.onnx')
    torch.onnx.export(Mean(model).eval(), (torch.ones(2, 8, dtype=torch.long),), whole, input_names=['ids'], opset_version=17, dynamo=False,
                      dynamic_axes={'ids': {0: 'texts', 1: 'pieces'}})
    quantize_dynamic(whole, small, weight_type=QuantType.QInt8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(small, options, providers=['CPUExecutionProvider'])
    theirs = {}
    for name, texts, pieces in (('Commits', 32, 45), ('Long', 8, 128), ('Question', 1, 16)):
        ids = np.array([[(i * 7919 + j * 104729) % rows for j in range(pieces)] for i in range(texts)], dtype=np.int64)
        best = 1e9
        for _ in range(5):
            start = time.perf_counter()
            session.run(None, {'ids': ids})
            best = min(best, time.perf_counter() - start)
        theirs[name] = texts / best

package = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../gitmem/internal/embed/bert')
out = subprocess.run(['go', 'test', '-run', '^$', '-bench', '.', '-cpu', '1', '-count', '3', '-benchtime', '1s'], cwd=package, capture_output=True, text=True).stdout
ours = {}
for name, kernel, rate in re.findall(r'Benchmark(\w+)/(\S+)\s.*?([\d.]+) texts/s', out):
    ours[name, kernel] = max(ours.get((name, kernel), 0), float(rate))
for (name, kernel), rate in ours.items():
    print(f'{name:9} {kernel:14} {rate:7.1f} texts a second, onnxruntime {onnxruntime.__version__} {theirs[name]:7.1f}, ratio {rate / theirs[name]:.2f}')
