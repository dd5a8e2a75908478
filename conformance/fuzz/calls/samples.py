"""Programs written by hand: what a call depends on besides the shapes of its tensors."""

from __future__ import annotations

FUNCTIONS = [
    "def program(a: Tensor, check: int = 0) -> Tensor:\n"
    "    y = torch.relu(a) * 2 + 1\n"
    "    if check == 1:\n"
    "        raise ValueError('refused')\n"
    "    return y\n",
    "def program(a: Tensor) -> Tensor:\n    return torch.relu(a) * 2 + 1\n",
    "def program(z: Tensor) -> Tensor:\n    return z.real * 2 + z.imag.sin()\n",
    "def program(a: Tensor) -> Tensor:\n    return (a * 0.1).sigmoid() + a\n",
    "def program(a: Tensor, b: Tensor) -> Tuple[Tensor, Tensor]:\n"
    "    t = a.t()\n"
    "    return t.sin() * 2, b.cos() + 1\n",
    "def program(a: Tensor, o: Optional[Tensor] = None, s: float = 0.5) -> Tensor:\n"
    "    v = torch.tanh(a) * s\n"
    "    if o is not None:\n"
    "        v = v + o\n"
    "    return v * 2\n",
    "def program(a: Tensor, o: Optional[Tensor], p: Optional[Tensor], flag: bool = False)"
    " -> Tuple[Tensor, Tensor]:\n"
    "    v = a * 2 if o is None else a + o\n"
    "    w = v.sin() if p is None else (v * p).tanh()\n"
    "    if flag:\n"
    "        v = v - w\n"
    "    return v, w\n",
    "def program(xs: List[Tensor], s: float = 2.0) -> List[Tensor]:\n"
    "    made: List[Tensor] = []\n"
    "    for x in xs:\n"
    "        made.append(torch.sigmoid(x * s) + 1)\n"
    "    return made\n",
    "def program(d: Dict[str, Tensor]) -> Dict[str, Tensor]:\n"
    "    return {'sum': (d['a'] + d['b']).tanh(), 'same': d['a']}\n",
    "def program(pair: Tuple[Tensor, Tensor], n: int = 2) -> Tuple[Tensor, Tensor]:\n"
    "    a, b = pair\n"
    "    return (a * n + b).relu(), a\n",
    "def program(a: Tensor, b: Tensor) -> Tensor:\n"
    "    a.mul_(2)\n"
    "    return torch.sin(a) + b * a\n",
    "def program(a: Tensor, b: Tensor) -> Tuple[Tensor, Tensor, Tensor]:\n"
    "    v = a * b\n"
    "    v.add_(1).clamp_(-1, 3)\n"
    "    return v, v.view(-1), a\n",
    "def program(a: Tensor, n: int = 1, check: int = 0) -> Tensor:\n"
    "    for i in range(n):\n"
    "        a = torch.tanh(a) * (i + 1)\n"
    "        assert check != i, 'refused'\n"
    "    return a\n",
    "def program(a: Tensor) -> Tensor:\n"
    "    while a.size(0) > 1:\n"
    "        a = (a[1:] * 2).tanh()\n"
    "    return a\n",
    "def program(a: Tensor, b: Tensor) -> Tensor:\n"
    "    v = torch.softmax(a * 0.5, dim=-1)\n"
    "    return torch.mm(v, b.relu() * 2).sin() + 1\n",
    "def program(a: Tensor, n: int = 3) -> Tensor:\n"
    "    return torch.zeros(n) * 2 + torch.arange(n) + torch.tensor(0.5) + a.sum().tanh()\n",
    "def program(a: Tensor, m: Tensor) -> Tensor:\n"
    "    return a.masked_fill(m > 0, -1.5).exp() + F.layer_norm(a * 1.0, [a.size(-1)])\n",
    "def program(a: Tensor, s: float = 0.5, n: int = 2, flag: bool = True) -> Tensor:\n"
    "    v = a * s + n\n"
    "    return v.tanh() if flag else v.sigmoid() * n\n",
    "def program(a: Tensor, b: Tensor) -> Tensor:\n"
    "    with torch.no_grad():\n"
    "        v = torch.sin(a) * 2\n"
    "    return v * b + a.detach().cos()\n",
    "def program(a: Tensor, b: Tensor, check: int = 0) -> Tensor:\n"
    "    v = torch.sigmoid(a) + b\n"
    "    if check == 1:\n"
    "        v = v.view(-1, 7)\n"
    "    if check == 2:\n"
    "        assert False, 'refused'\n"
    "    w = v.cos() * 2\n"
    "    if check == 3:\n"
    "        raise RuntimeError('refused')\n"
    "    if check == 4:\n"
    "        warnings.warn('odd')\n"
    "    return w - v\n",
    "def program(a: Tensor, dim: int = -1, keep: bool = False) -> Tensor:\n"
    "    return (a * 2).sum(dim, keepdim=keep).tanh() + 1\n",
    "def program(a: Tensor, *, s: float, o: Optional[Tensor]) -> Tensor:\n"
    "    v = a.abs() * s\n"
    "    return v.sqrt() if o is None else v.sqrt() - o\n",
    "def program(a: Tensor, o: Optional[Tensor] = None) -> Optional[Tensor]:\n"
    "    if o is None:\n"
    "        return None\n"
    "    return (a * o).sin() + 1\n",
    "def part(x: Tensor, check: int) -> Tensor:\n"
    "    y = x.exp() * 0.5\n"
    "    if check == 1:\n"
    "        raise ValueError('refused')\n"
    "    return y.sin()\n\n\n"
    "def program(a: Tensor, b: Tensor, check: int = 0) -> Tuple[Tensor, float]:\n"
    "    v = part(a, check) + part(b, check - 1)\n"
    "    return v, float(v.dim()) if check == 3 else 0.25\n",
    "def program(pair: Tuple[Tensor, Tensor], s: float = 0.5) -> Tuple[Tensor, Tensor]:\n"
    "    torch.manual_seed(3)\n"
    "    a, b = pair\n"
    "    return F.dropout(a * s, 0.25, True) + b, F.dropout(b.sin(), 0.5, True)\n",
    "def program(d: Dict[str, Tensor], n: int = 1) -> Tensor:\n"
    "    scores = d['a'] * 2\n"
    "    return F.cross_entropy(scores, torch.zeros_like(scores).sum(n).to(torch.int64)) * 3\n",
    "def program(a: Tensor, b: Tensor, flag: bool = False) -> Tensor:\n"
    "    torch.manual_seed(3)\n"
    "    v = F.dropout(a.tanh() + b, 0.5, flag) * 2\n"
    "    return F.cross_entropy(v, v.detach().softmax(0), reduction='sum')\n",
]  # fmt: skip

MODULES = [
    "class Program(nn.Module):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.weight = nn.Parameter(torch.tensor([0.5, -1.0, 2.0]))\n"
    "        self.register_buffer('shift', torch.tensor(0.25))\n"
    "        self.scale = 2.0\n"
    "        self.turned = False\n\n"
    "    def forward(self, a: Tensor, check: int = 0) -> Tensor:\n"
    "        v = a * self.weight * self.scale + self.shift\n"
    "        if self.turned:\n"
    "            v = -v.sin()\n"
    "        if check == 1:\n"
    "            raise ValueError('refused')\n"
    "        return v.tanh() + 1\n",
    "class Program(nn.Module):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.linear = nn.Linear(3, 3)\n"
    "        self.linear.weight.data = torch.arange(9.0).view(3, 3) / 8 - 0.5\n"
    "        self.linear.bias.data = torch.tensor([0.5, 0.0, -1.0])\n"
    "        self.norm = nn.LayerNorm(3)\n"
    "        self.weight = self.norm.weight\n"
    "        self.scale = 0.5\n\n"
    "    def forward(self, a: Tensor, o: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:\n"
    "        v = self.norm(self.linear(a).relu() * self.scale)\n"
    "        return (v if o is None else v + o), self.weight\n",
    "class Program(nn.Module):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.norm = nn.BatchNorm1d(3)\n"
    "        self.weight = nn.Parameter(torch.ones(1))\n"
    "        self.register_buffer('calls', torch.zeros(()))\n"
    "        self.scale = 3.0\n\n"
    "    def forward(self, a: Tensor) -> Tensor:\n"
    "        self.calls.add_(1)\n"
    "        if self.training:\n"
    "            return (self.norm(a) * self.weight).tanh() + self.calls\n"
    "        return (self.norm(a) * self.scale).sigmoid()\n",
    "class Program(nn.Module):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.weight = nn.Parameter(torch.tensor([[0.5, -1.0, 2.0]]))\n"
    "        self.scale = 1.0\n"
    "        self.total = 0\n\n"
    "    def forward(self, a: Tensor, b: Optional[Tensor] = None, s: float = 0.5) -> Tensor:\n"
    "        self.total += 1\n"
    "        v = torch.sin(a * s) * self.weight + self.total\n"
    "        if b is not None:\n"
    "            v = v * b.cos()\n"
    "        return v * self.scale\n",
]  # fmt: skip
