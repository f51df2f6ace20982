const CHUNK = 512;

/** Keys in byte order (strings of one character per byte) with values. Inserts and lookups are logarithmic. */
export class SortedMap<V> {
  private readonly chunks: { keys: string[]; values: V[] }[] = [];

  /** The first chunk whose last key is not below `key`; the number of chunks when there is none. */
  private chunkFor(key: string): number {
    let low = 0;
    let high = this.chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { keys } = this.chunks[middle] as { keys: string[] };
      if ((keys[keys.length - 1] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private static position(keys: string[], key: string): number {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get(key: string): V | undefined {
    const chunk = this.chunks[this.chunkFor(key)];
    if (!chunk) return undefined;
    const at = SortedMap.position(chunk.keys, key);
    return chunk.keys[at] === key ? chunk.values[at] : undefined;
  }

  set(key: string, value: V): void {
    if (this.chunks.length === 0) this.chunks.push({ keys: [], values: [] });
    const number = Math.min(this.chunkFor(key), this.chunks.length - 1);
    const chunk = this.chunks[number] as { keys: string[]; values: V[] };
    const at = SortedMap.position(chunk.keys, key);
    if (chunk.keys[at] === key) {
      chunk.values[at] = value;
      return;
    }
    chunk.keys.splice(at, 0, key);
    chunk.values.splice(at, 0, value);
    if (chunk.keys.length > CHUNK) {
      const half = chunk.keys.length >> 1;
      this.chunks.splice(number + 1, 0, { keys: chunk.keys.splice(half), values: chunk.values.splice(half) });
    }
  }

  /** The entry at or after `key` (`inclusive`), or strictly after it. */
  next(key: string, inclusive: boolean): [string, V] | null {
    for (let number = this.chunkFor(key); number < this.chunks.length; number++) {
      const { keys, values } = this.chunks[number] as { keys: string[]; values: V[] };
      let at = SortedMap.position(keys, key);
      if (!inclusive && keys[at] === key) at += 1;
      if (at < keys.length) return [keys[at] as string, values[at] as V];
    }
    return null;
  }

  /** The entry strictly before `key`. */
  previous(key: string): [string, V] | null {
    for (let number = Math.min(this.chunkFor(key), this.chunks.length - 1); number >= 0; number--) {
      const { keys, values } = this.chunks[number] as { keys: string[]; values: V[] };
      const at = SortedMap.position(keys, key) - 1;
      if (at >= 0) return [keys[at] as string, values[at] as V];
    }
    return null;
  }
}
