"""A list is a stack and a queue; popping from an empty one raises."""

from typing import Dict, List


def program(edges: Dict[int, List[int]], start: int) -> List[int]:
    seen: Dict[int, bool] = {}
    queue = [start]
    order: List[int] = []
    while len(queue) > 0:
        node = queue.pop(0)
        if node in seen:
            continue
        seen[node] = True
        order.append(node)
        for other in edges[node]:
            if other not in seen:
                queue.append(other)
    order.append(queue.pop() if len(order) % 2 == 0 else len(queue))
    return order


def inputs():
    graph = {0: [1, 2], 1: [3], 2: [3], 3: [0], 4: []}
    return [(graph, 4), (graph, 0), (graph, 9)]
