import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRegex } from '#models/engine/query/regex.ts';
import { codeOf } from './support.ts';

describe('what expressions match', () => {
  it.each<[string, string, string, boolean]>([
    ['abc', '', 'xabcx', true],
    ['abc', '', 'ABC', false],
    ['abc', 'i', 'xABCx', true],
    ['é', 'i', 'É', true],
    ['σ', 'i', 'ς', true],
    ['^a', '', 'ba', false],
    ['^b', '', 'a\nb', false],
    ['^b', 'm', 'a\nb', true],
    ['^', 'm', '\n', true],
    ['a$', '', 'ba', true],
    ['a$', '', 'a\n', true],
    ['a$', '', 'a\n\n', false],
    ['a$', '', 'a\nb', false],
    ['a$', 'm', 'a\nb', true],
    ['a.c', '', 'a\nc', false],
    ['a.c', '', 'a\rc', true],
    ['a.c', '', 'a\u2028c', true],
    ['a.c', 's', 'a\nc', true],
    ['^.$', '', '🌱', true],
    ['a|b|', '', 'c', true],
    ['(?:ab)+c', '', 'ababc', true],
    ['a{2,3}b', '', 'ab', false],
    ['a{2,3}b', '', 'aab', true],
    ['^a{2}$', '', 'aaa', false],
    ['^a{2,}$', '', 'aaaa', true],
    ['a{,2}', '', 'a{,2}', true],
    ['a{', '', 'a{', true],
    ['a{x}', '', 'a{x}', true],
    ['^a*?b', '', 'aaab', true],
    ['[a-c]+', '', 'xbx', true],
    ['^[^a-c]+$', '', 'xyz', true],
    ['[]a]', '', ']', true],
    ['[^]a]', '', ']', false],
    ['[a\\-z]', '', '-', true],
    ['[a-]', '', '-', true],
    ['[\\d-x]', '', '-', true],
    ['[a-\\d]', '', '-', true],
    ['[\\]\\\\]', '', '\\', true],
    ['[\\b]', '', '\b', true],
    ['[A-Z]', 'i', 'q', true],
    ['[^A-Z]', 'i', 'q', false],
    ['\\d\\D\\w\\W\\s\\S', '', '1aa- x', true],
    ['\\s', '', '\u00a0', false],
    ['\\w', '', 'é', false],
    ['\\bab\\b', '', 'x ab y', true],
    ['\\bab\\b', '', 'xab y', false],
    ['a\\Bb', '', 'ab', true],
    ['\\x41\\t', '', 'A\t', true],
    ['\\.\\*\\/\\-\\"', '', '.*/-"', true],
    ['(a*)*b', '', 'aaac', false],
    ['(|a)+b', '', 'aab', true],
    ['', '', '', true],
    ['()', '', 'x', true],
    ['^(?:(a)|b)*$', '', 'abba', true],
  ])('/%s/%s on %j: %s', (pattern, options, text, expected) => {
    expect(compileRegex(pattern, options).test(text)).toBe(expected);
  });

  it.each<[string, string]>([
    ['(', ''],
    [')', ''],
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
    for (const options of ['g', 'x']) expect(codeOf(() => compileRegex('a', options))).toBe(51108);
    expect(codeOf(() => compileRegex('a\0', ''))).toBe(2);
  });

  it('refuses nesting that no reader could follow', () => {
    expect(codeOf(() => compileRegex('('.repeat(1000) + ')'.repeat(1000), ''))).toBe(51091);
  });
});

describe('expressions made to take for ever', () => {
  const long = 'a'.repeat(20_000);

  it.each([
    '(a+)+$',
    '(a|a)*$',
    '(a|aa)+$',
    '(.*a){12}$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(a?){20}a{20}$',
    'a*a*a*a*a*a*b',
    '.*.*.*=.*',
    '(x+x+)+y',
    '(?:a|b|ab)*c',
  ])('%s is matched in time proportional to the text', (pattern) => {
    expect(compileRegex(pattern, '').test(`${long}!`)).toBe(pattern === '(a|a)*$');
  });

  it('end with an error when their states fit no cache', () => {
    const regex = compileRegex(`(a|b)*a(a|b){${500}}x`, '');
    let text = '';
    for (let i = 0, n = 1; i < 1_000_000; i++) text += (n = (n * 48271) % 2147483647) % 2 ? 'a' : 'b';
    expect(codeOf(() => regex.test(text))).toBe(51156);
    expect(regex.test(`${'a'.repeat(501)}x`)).toBe(true);
  });

  it('are refused when their program would be huge', () => {
    expect(codeOf(() => compileRegex('((a{1,1000}){1,1000}){1,10}b', '').test(long))).toBe(51091);
  });

  it('find plain text in long texts', () => {
    expect(compileRegex('needle', '').test(`${'hay '.repeat(500_000)}needle`)).toBe(true);
  });
});

const piece = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        'a',
        'b',
        'c',
        '.',
        '[ab]',
        '[^a]',
        '\\w',
        '\\s',
        '^',
        '$',
        '\\b',
        '\\B',
        'é',
      ),
    },
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '*?', '{0,1}'))
      .map(([a, quantifier]) => `(${a})${quantifier}`),
  ),
})).pattern;

/** The same expression for JavaScript, whose anchors mean something else. */
function inJavaScript(pattern: string, options: string): RegExp {
  const lines = options.includes('m');
  const start = lines ? '(?<![^\\n])(?:(?<![^])|(?=[^]))' : '(?<![^])';
  const end = lines ? '(?![^\\n])' : '(?=\\n?(?![^]))';
  const source = pattern.replace(/\[\^a\]|\^|\$/g, (part) =>
    part === '^' ? start : part === '$' ? end : part,
  );
  return new RegExp(source, options.replace('m', ''));
}

describe('any expression', () => {
  it('matches what trying one alternative after the other matches', () => {
    fc.assert(
      fc.property(
        piece,
        fc.constantFrom('', 'i', 'm', 's', 'im'),
        fc.array(fc.constantFrom('a', 'b', 'c', 'A', ' ', '\n', 'é'), { maxLength: 9 }),
        (pattern, options, letters) => {
          const text = letters.join('');
          expect(compileRegex(pattern, options).test(text)).toBe(inJavaScript(pattern, options).test(text));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('find any text that was escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (needle, before, after) => {
        fc.pre(!needle.includes('\0'));
        const escaped = needle.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
        expect(compileRegex(escaped, '').test(before + needle + after)).toBe(true);
      }),
    );
  });
});
