/** Two clusters and how similar they are. */
interface Merge {
  readonly first: number;
  readonly second: number;
  readonly similarity: number;
}

/** A hierarchy of clusters: the merges that lead from single items to one cluster, the most similar first. */
export interface Hierarchy {
  readonly count: number;
  readonly merges: readonly Merge[];
}

/**
 * Agglomerative clustering: the similarity of two clusters is the mean over all pairs. It follows chains of nearest
 * neighbours, so that `count` items take time and memory in the order of count².
 */
export function clusterByMean(count: number, similarityOf: (a: number, b: number) => number): Hierarchy {
  const similarities = new Float32Array(count * count);
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < a; b++) {
      const similarity = similarityOf(a, b);
      similarities[a * count + b] = similarity;
      similarities[b * count + a] = similarity;
    }
  }
  const sizes = new Uint32Array(count).fill(1);
  const active = new Set(Array.from({ length: count }, (_, item) => item));
  const merges: Merge[] = [];
  const chain: number[] = [];
  while (active.size > 1) {
    if (chain.length === 0) chain.push(active.values().next().value ?? 0);
    const last = chain.at(-1) ?? 0;
    const before = chain.at(-2);
    const nearest = nearestOf(similarities, count, active, last, before);
    if (nearest !== before) {
      chain.push(nearest);
      continue;
    }
    // Each is the nearest of the other.
    chain.length -= 2;
    merges.push({ first: nearest, second: last, similarity: similarities[last * count + nearest] ?? 0 });
    join(similarities, count, active, sizes, nearest, last);
  }
  return { count, merges: merges.sort((a, b) => b.similarity - a.similarity) };
}

/** Of equally near ones the one before in the chain, or else the chain would never end. */
function nearestOf(
  similarities: Float32Array,
  count: number,
  active: ReadonlySet<number>,
  item: number,
  before: number | undefined,
): number {
  let nearest = before ?? -1;
  let highest = before === undefined ? Number.NEGATIVE_INFINITY : (similarities[item * count + before] ?? 0);
  for (const other of active) {
    if (other === item) continue;
    const similarity = similarities[item * count + other] ?? 0;
    if (similarity > highest) {
      highest = similarity;
      nearest = other;
    }
  }
  return nearest;
}

/** Joins the second cluster to the first. */
function join(
  similarities: Float32Array,
  count: number,
  active: Set<number>,
  sizes: Uint32Array,
  first: number,
  second: number,
): void {
  active.delete(second);
  const [own, added] = [sizes[first] ?? 1, sizes[second] ?? 1];
  for (const other of active) {
    const toFirst = similarities[first * count + other] ?? 0;
    const toSecond = similarities[second * count + other] ?? 0;
    const mean = (own * toFirst + added * toSecond) / (own + added);
    similarities[first * count + other] = mean;
    similarities[other * count + first] = mean;
  }
  sizes[first] = own + added;
}

/** The cluster of each item, after the first `merges` of the hierarchy. */
export function cut({ count, merges }: Hierarchy, applied: number): number[] {
  const parents = Array.from({ length: count }, (_, item) => item);
  const rootOf = (item: number): number => {
    let root = item;
    while (parents[root] !== root) root = parents[root] ?? root;
    parents[item] = root;
    return root;
  };
  for (const { first, second } of merges.slice(0, applied)) parents[rootOf(second)] = rootOf(first);
  return parents.map((_, item) => rootOf(item));
}
