import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Budget, PAUSE, run, within, type Steps } from '#models/engine/budget.ts';
import { compileRegex } from '#models/engine/query/regex.ts';
import { codeOf } from './support.ts';

describe('matching of regular expressions', () => {
  it.each<[string, string, string, boolean]>([
    ['abc', '', 'xabcx', true],
    ['abc', '', 'ABC', false],
    ['abc', 'i', 'xABCx', true],
    ['é', 'i', 'É', true],
    ['σ', 'i', 'ς', true],
    ['^a', '', 'ba', false],
    ['^b', '', 'a\nb', false],
    ['a$', '', 'ba', true],
    ['a$', '', 'a\n', true],
    ['a$', '', 'a\n\n', false],
    ['a$', '', 'a\nb', false],
    ['a.c', '', 'a\nc', false],
    ['a.c', '', 'a\rc', true],
    ['a.c', '', 'a\u2028c', true],
    ['a.c', 's', 'a\nc', true],
    ['^.$', '', '🌱', true],
    ['a{,2}', '', 'a{,2}', true],
    ['a{', '', 'a{', true],
    ['a{x}', '', 'a{x}', true],
    ['[]a]', '', ']', true],
    ['[^]a]', '', ']', false],
    ['[a\\-z]', '', '-', true],
    ['[a-]', '', '-', true],
    ['[a-c]', '', 'xbx', true],
    ['^[^a-c]$', '', 'x', true],
    ['\\d\\D\\s\\S', '', '1a x', true],
    ['a\\tb', '', 'a\tb', true],
    ['^$', '', '\n', true],
    ['^ab$', '', 'ab\n\n', false],
    ['.$', '', '\n', false],
    ['[^\u{1f331}]', '', '\u{1f331}\u{1f331}', false],
    ['[\\d-x]', '', '-', true],
    ['[\\]\\\\]', '', '\\', true],
    ['[A-Z]', 'i', 'q', true],
    ['[^A-Z]', 'i', 'q', false],
    ['\\s', '', '\u00a0', false],
    ['\\.\\*\\/\\-\\"', '', '.*/-"', true],
    ['', '', '', true],
  ])('/%s/%s on %j: %s', (pattern, options, text, expected) => {
    expect(compileRegex(pattern, options).test(text)).toBe(expected);
  });

  it.each<[string, string]>([
    ['(', ''],
    [')', ''],
    ['(a)', ''],
    ['a|b', ''],
    ['a*', ''],
    ['a+', ''],
    ['a?', ''],
    ['a{2}', ''],
    ['a^', ''],
    ['$a', ''],
    ['\\bx', ''],
    ['\\w', ''],
    ['\\x41', ''],
    ['[a-\\d]', ''],
    ['[\\b]', ''],
    ['[a', ''],
    ['*a', ''],
    ['a**', ''],
    ['a++', ''],
    ['a{2}{3}', ''],
    ['a{3,2}', ''],
    ['a{1001}', ''],
    ['[z-a]', ''],
    ['[[:alpha:]]', ''],
    ['\\Qa.b\\E', ''],
    ['\\Aa', ''],
    ['a\\z', ''],
    ['\\p{Lu}', ''],
    ['(?i)a', ''],
    ['(?<x>a)', ''],
    ['\\0101', ''],
    ['\\x{41}', ''],
    ['\\', ''],
    ['\\y', ''],
    ['\\K', ''],
    ['\\G', ''],
    ['(?>a)', ''],
    ['(?R)', ''],
    ['(?|a)', ''],
    ['(*FAIL)', ''],
    ['a(?i)b', ''],
    ['(?i:a)', ''],
    ['a(?=b)', ''],
    ['(?<!a)b', ''],
    ['(a)\\1', ''],
    ['(?P<x>a)(?P=x)', ''],
    ['(?<x>a)\\k<x>', ''],
    ['\\h', ''],
    ['a(?#note)b', ''],
    ['\\1', ''],
    ['\\k<x>', ''],
  ])('refuses /%s/ as invalid', (pattern, options) => {
    expect(codeOf(() => compileRegex(pattern, options))).toBe(51091);
  });

  it('refuses unknown options and null bytes', () => {
    for (const options of ['g', 'm', 'x']) expect(codeOf(() => compileRegex('a', options))).toBe(51108);
    expect(codeOf(() => compileRegex('a\0', ''))).toBe(2);
  });

  it('refuses one that is huge', () => {
    expect(codeOf(() => compileRegex('a'.repeat(501), ''))).toBe(51091);
  });
});

describe('long texts', () => {
  it('are searched to the end', () => {
    expect(compileRegex('needle', '').test(`${'hay '.repeat(500_000)}needle`)).toBe(true);
  });

  it.each([16_383, 16_384, 16_385, 32_768])('find a match across the piece boundary at %i', (at) => {
    for (const before of ['x'.repeat(at - 3), `${'x'.repeat(at - 3)}\u{1f331}`]) {
      const text = `${before}needle${'x'.repeat(20_000)}`;
      expect(compileRegex('needle', '').test(text)).toBe(true);
      expect(compileRegex('[^x\u{1f331}needl]', '').test(text)).toBe(false);
    }
  });

  it('stop at the command’s time limit, however little matches', async () => {
    const regex = compileRegex(`${'a'.repeat(499)}b`, '');
    const text = 'a'.repeat(4_000_000);
    const search = function* (): Steps<boolean> {
      yield PAUSE;
      return regex.test(text);
    };
    // Its first step, too, may find the time over.
    const searching = async () => run(within(new Budget(1), search()));
    await expect(searching()).rejects.toMatchObject({ code: 50 });
  });
});

const part = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\s', '\\D', 'é');
const piece = fc
  .tuple(fc.constantFrom('', '^'), fc.array(part, { maxLength: 4 }), fc.constantFrom('', '$'))
  .map(([start, parts, end]) => `${start}${parts.join('')}${end}`);

/** The same expression for JavaScript, whose anchors mean something else. */
function inJavaScript(pattern: string, options: string): RegExp {
  const [start, end] = ['(?<![^])', '(?=\\n?(?![^]))'];
  const source = pattern.replace(/\[\^a\]|\^|\$/g, (part) =>
    part === '^' ? start : part === '$' ? end : part,
  );
  return new RegExp(source, options);
}

describe('any expression', () => {
  it('matches the same texts as a naive search', () => {
    fc.assert(
      fc.property(
        piece,
        fc.constantFrom('', 'i', 's'),
        fc.array(fc.constantFrom('a', 'b', 'c', 'A', ' ', '\n', 'é'), { maxLength: 9 }),
        (pattern, options, letters) => {
          const text = letters.join('');
          expect(compileRegex(pattern, options).test(text)).toBe(inJavaScript(pattern, options).test(text));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('find any escaped text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (needle, before, after) => {
        fc.pre(!needle.includes('\0'));
        const escaped = needle.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
        expect(compileRegex(escaped, '').test(before + needle + after)).toBe(true);
      }),
    );
  });
});
