import type { Anchor, CharSet, Parsed, Pattern } from './syntax.ts';

const ANCHORS: Record<Anchor, string> = {
  start: '(?<![\\s\\S])',
  'line-start': '(?<![^\\n])(?:(?<![\\s\\S])|(?=[\\s\\S]))',
  end: '(?=\\n?(?![\\s\\S]))',
  'line-end': '(?![^\\n])',
  'very-end': '(?![\\s\\S])',
  word: '\\b',
  'not-word': '\\B',
};

function charSource(code: number): string {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
    ? String.fromCharCode(code)
    : `\\u{${code.toString(16)}}`;
}

function setSource(set: CharSet): string {
  const ranges = set.ranges.map(([low, high]) =>
    low === high ? charSource(low) : `${charSource(low)}-${charSource(high)}`,
  );
  const properties = set.properties.map((name) =>
    name.startsWith('^') ? `\\P{${name.slice(1)}}` : `\\p{${name}}`,
  );
  return `[${set.negated ? '^' : ''}${ranges.join('')}${properties.join('')}]`;
}

function repeatSource(p: Pattern & { kind: 'repeat' }): string {
  const count = p.max === Infinity ? `{${p.min},}` : `{${p.min},${p.max}}`;
  return `(?:${sourceOf(p.body)})${count}${p.lazy ? '?' : ''}`;
}

function sourceOf(p: Pattern): string {
  switch (p.kind) {
    case 'char':
      return charSource(p.code);
    case 'set':
      return setSource(p);
    case 'anchor':
      return ANCHORS[p.anchor];
    case 'sequence':
      return p.items.map(sourceOf).join('');
    case 'choice':
      return `(?:${p.items.map(sourceOf).join('|')})`;
    case 'repeat':
      return repeatSource(p);
    case 'group':
      return `(${p.captures ? (p.name === undefined ? '' : `?<${p.name}>`) : '?:'}${sourceOf(p.body)})`;
    case 'look':
      return `(?${p.ahead ? '' : '<'}${p.negated ? '!' : '='}${sourceOf(p.body)})`;
    case 'back-reference':
      return typeof p.to === 'number' ? `(?:\\${p.to})` : `\\k<${p.to}>`;
  }
}

/** JavaScript's expression for a parsed one. Every construct is spelled out, so that only `i` is left to a flag. */
export function toRegExp(parsed: Parsed): RegExp {
  return new RegExp(sourceOf(parsed.pattern), parsed.flags.ignoreCase ? 'iu' : 'u');
}
