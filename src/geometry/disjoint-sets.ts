/** Union-find over 0 … size − 1. The smallest member is the representative of its set. */
export interface DisjointSets {
  find(member: number): number;
  join(a: number, b: number): void;
}

export function newDisjointSets(size: number): DisjointSets {
  const parents = new Uint32Array(size);
  for (let i = 0; i < size; i++) parents[i] = i;
  const find = (member: number): number => {
    while (parents[member] !== member) {
      parents[member] = parents[parents[member]];
      member = parents[member];
    }
    return member;
  };
  return {
    find,
    join(a, b) {
      const rootA = find(a);
      const rootB = find(b);
      if (rootA < rootB) parents[rootB] = rootA;
      else parents[rootA] = rootB;
    },
  };
}
