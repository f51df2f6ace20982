import { describe, expect, it } from 'vitest';
import { isWholePdf, documentKindOf, documentName } from '#app/domain/vendors/document-schema.ts';
import { certificate } from '#tests/support/papers.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('the kind of an order document', () => {
  it.each([
    ['a PDF', certificate(), 'pdf'],
    ['a PDF of version 2', bytesOf('%PDF-2.0\n'), 'pdf'],
    ['a JPEG', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), 'jpeg'],
    ['a web page', bytesOf('<!doctype html>'), null],
    ['a web page that is a PDF further on', bytesOf('<script></script>%PDF-1.4'), null],
    ['a PDF of no version', bytesOf('%PDF-x'), null],
    ['an SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
    ['nothing', new Uint8Array(), null],
  ])('is read from its first bytes: %s', (_, bytes, kind) => {
    expect(documentKindOf(bytes)).toBe(kind);
  });

  it('is complete if it has its end marker', () => {
    const whole = certificate();
    expect(isWholePdf(whole)).toBe(true);
    expect(isWholePdf(whole.subarray(0, whole.length - 20))).toBe(false);
    expect(isWholePdf(Buffer.concat([whole, Buffer.alloc(2000)]))).toBe(false);
  });
});

describe('the file name of an order document', () => {
  it.each([
    ['COA L-2207.pdf', 'pdf', 'COA L-2207.pdf'],
    ['C:\\lab\\COA.exe', 'pdf', 'COA.pdf'],
    ['../../etc/passwd', 'png', 'passwd.png'],
    ['Prüfbericht №7.PDF', 'pdf', 'Prüfbericht №7.pdf'],
    ['a"b\r\nSet-Cookie: x.pdf', 'pdf', 'a b Set-Cookie x.pdf'],
    ['‮fdp.exe', 'pdf', 'fdp.pdf'],
    ['.pdf', 'pdf', 'certificate.pdf'],
    ['', 'jpeg', 'certificate.jpg'],
    [`${'x'.repeat(300)}.webp`, 'webp', `${'x'.repeat(100)}.webp`],
  ] as const)('%j that is %s is kept as %j', (sent, kind, kept) => {
    expect(documentName(sent, kind)).toBe(kept);
  });
});
