#!/usr/bin/env python3
"""Tunes the three upper layers of the encoder to tell what a sentence of a session is. How sentences.gmpair was made.

    pip install torch==2.15.0 transformers tokenizers safetensors
    go test ./gitmem/internal/transcript -run TestExport -export PREFIX        # sentences of the labelled sessions
    python3 sentences.py --encoder FOLDER --sentences PREFIX OUT               # the folder that prune.py wrote
    python3 sentences.py --encoder FOLDER --sentences PREFIX --start OUT --passes 2 OUT2
    go test ./gitmem/internal/embed -run TestBuildClassifier -trained OUT2

A sentence is read behind who speaks and the end of the sentence before: [CLS] user: … [SEP] sentence [SEP], all of one
type. A linear layer reads the first piece and the means of both parts. sentences.jsonl, which people wrote for this,
is always read; its last sessions are left out for judging. AdamW, label smoothing 0.05; about 15 minutes a run on two cores."""
import argparse, json, os, random, time
import torch, torch.nn as nn, torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

CLASSES = ['none', 'decision', 'conclusion', 'problem', 'solution', 'question', 'todo', 'context']
SHARED, LAYERS, HEADS, DIMS = 3, 6, 12, 384
BEFORE, TEXT, CHARACTERS = 40, 84, 100                                 # pieces of both parts; characters of the first

a = argparse.ArgumentParser(); a.add_argument('out'); a.add_argument('--encoder', required=True); a.add_argument('--sentences', required=True)
a.add_argument('--start'); a.add_argument('--passes', type=int, default=3); a.add_argument('--seed', type=int, default=1); a = a.parse_args()
random.seed(a.seed); torch.manual_seed(a.seed)

vocab = {w: i for i, w in enumerate(open(os.path.join(a.encoder, 'vocab.txt'), encoding='utf-8').read().split('\n')[:-1])}
cut = Tokenizer(models.WordPiece(vocab, unk_token='[UNK]', max_input_chars_per_word=100))
cut.normalizer, cut.pre_tokenizer = normalizers.BertNormalizer(lowercase=True, strip_accents=True), pre_tokenizers.BertPreTokenizer()
weights = {k.replace('gamma', 'weight').replace('beta', 'bias'): v.float() for k, v in load_file(os.path.join(a.encoder, 'model.safetensors')).items()}
if a.start: tuned = load_file(os.path.join(a.start, 'model.safetensors'))

class Layer(nn.Module):
    def __init__(self, i):
        super().__init__(); self.name = 'encoder.layer.%d.' % i
        for part, size in (('attention.self.query', (DIMS, DIMS)), ('attention.self.key', (DIMS, DIMS)), ('attention.self.value', (DIMS, DIMS)), ('attention.output.dense', (DIMS, DIMS)), ('intermediate.dense', (DIMS, 4 * DIMS)), ('output.dense', (4 * DIMS, DIMS))):
            self.add_module(part.replace('.', '_'), nn.Linear(*size))
        for part in ('attention.output.LayerNorm', 'output.LayerNorm'): self.add_module(part.replace('.', '_'), nn.LayerNorm(DIMS, eps=1e-12))
        source = tuned if a.start and i >= SHARED else weights
        for p, v in self.named_parameters(): part, kind = p.split('.'); v.data.copy_(source[self.name + part.replace('_', '.') + '.' + kind])
    def forward(self, x, mask):
        b, t, _ = x.shape; split = lambda l: l(x).view(b, t, HEADS, -1).transpose(1, 2); drop = lambda y: F.dropout(y, .1, self.training)
        y = F.scaled_dot_product_attention(split(self.attention_self_query), split(self.attention_self_key), split(self.attention_self_value), attn_mask=mask[:, None, None])
        x = self.attention_output_LayerNorm(x + drop(self.attention_output_dense(y.transpose(1, 2).reshape(b, t, -1))))
        return self.output_LayerNorm(x + drop(self.output_dense(F.gelu(self.intermediate_dense(x)))))

lower, upper = (nn.ModuleList(Layer(i) for i in r) for r in (range(SHARED), range(SHARED, LAYERS)))
head = nn.Linear(3 * DIMS, len(CLASSES)); lower.eval()
if a.start: head.weight.data.copy_(tuned['heads.0.weight']); head.bias.data.copy_(tuned['heads.0.bias'])

def exported(part): return [(r[0], r[1], r[2], CLASSES.index(r[3])) for r in map(json.loads, open(a.sentences + part + '.jsonl'))]
def written(judging):
    rows = []
    for n, line in enumerate(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sentences.jsonl'))):
        before = ''
        for m in json.loads(line)['messages']:
            for s in m['sents']:
                if (n % 6 == 5) == judging: rows.append((m['role'], before, s['t'], CLASSES.index(s.get('y', 'none'))))
                before = s['t']
    return rows

def embed(ids):
    position = weights['embeddings.position_embeddings.weight'] + weights['embeddings.token_type_embeddings.weight'][0]
    x = weights['embeddings.word_embeddings.weight'][ids] + position[:ids.shape[1]]
    return F.layer_norm(x, (DIMS,), weights['embeddings.LayerNorm.weight'], weights['embeddings.LayerNorm.bias'], 1e-12)

def padded(lists): return nn.utils.rnn.pad_sequence([torch.tensor(l) for l in lists], batch_first=True)
def prepared(rows):                                                    # what the shared layers give, once
    ids = lambda text, most: cut.encode(text, add_special_tokens=False).ids[:most]
    texts = []
    for role, before, text, _ in rows:
        first = [vocab['[CLS]']] + ids(role + ': ' + before[-CHARACTERS:], BEFORE) + [vocab['[SEP]']]
        texts.append((first + ids(text, TEXT) + [vocab['[SEP]']], len(first)))
    out, order = [None] * len(rows), sorted(range(len(rows)), key=lambda j: len(texts[j][0]))
    with torch.inference_mode():
        for k in range(0, len(order), 64):
            part = order[k:k + 64]; x = embed(padded([texts[j][0] for j in part])); mask = padded([[True] * len(texts[j][0]) for j in part])
            for l in lower: x = l(x, mask)
            for n, j in enumerate(part): out[j] = (x[n, :len(texts[j][0])].half().clone(), texts[j][1], rows[j][3])
    return out

def scores(list):
    x = nn.utils.rnn.pad_sequence([e[0].float() for e in list], batch_first=True); at = torch.arange(x.shape[1])
    size, second = (torch.tensor(v).unsqueeze(1) for v in ([len(e[0]) for e in list], [e[1] for e in list]))
    for l in upper: x = l(x, at < size)
    mean = lambda k: (x * k.unsqueeze(2)).sum(1) / k.sum(1, keepdim=True)
    return head(torch.cat([x[:, 0], mean(at < second), mean((at >= second) & (at < size))], 1))

def judge(name, list):
    upper.eval()
    with torch.no_grad(): p = torch.cat([scores(list[k:k + 64]).softmax(1) for k in range(0, len(list), 64)])
    upper.train(); y = torch.tensor([e[2] for e in list])
    for least in (.5, .6, .7, .8):
        found = 1 - p[:, 0] >= least; right = found & (y > 0); same = right & (p[:, 1:].argmax(1) + 1 == y)
        print(name, least, 'precision %.3f recall %.3f intent %.3f' % (right.sum() / found.sum(), right.sum() / (y > 0).sum(), same.sum() / right.sum()), flush=True)

train, held = prepared(exported('train') + written(False)), {'dev': prepared(exported('dev')), 'written': prepared(written(True))}
rate, size, start, step = 6e-5 if a.start else 1e-4, 48, time.time(), 0; total = a.passes * -(-len(train) // size)
opt = torch.optim.AdamW([{'params': upper.parameters()}, {'params': head.parameters()}], weight_decay=.01); upper.train()
for _ in range(a.passes):
    order, batches = random.sample(range(len(train)), len(train)), []
    for k in range(0, len(order), size * 20):                          # alike in length, so that little is padding
        part = sorted(order[k:k + size * 20], key=lambda j: len(train[j][0])); batches += [part[j:j + size] for j in range(0, len(part), size)]
    for batch in random.sample(batches, len(batches)):
        by = min(1, (step + 1) / 50) * max(.05, 1 - step / total); opt.param_groups[0]['lr'], opt.param_groups[1]['lr'] = rate * by, 1e-3 * by
        loss = F.cross_entropy(scores([train[j] for j in batch]), torch.tensor([train[j][2] for j in batch]), label_smoothing=.05)
        opt.zero_grad(); loss.backward(); opt.step(); step += 1
        if step % 100 == 0: print(step, total, round(loss.item(), 3), round(time.time() - start), flush=True)
    for name, list in held.items(): judge(name, list)
out = {'heads.0.weight': head.weight.data, 'heads.0.bias': head.bias.data}
for l in upper:
    for p, v in l.named_parameters(): part, kind = p.split('.'); out[l.name + part.replace('_', '.') + '.' + kind] = v.data
os.makedirs(a.out, exist_ok=True); save_file({k: v.contiguous() for k, v in out.items()}, os.path.join(a.out, 'model.safetensors'))
