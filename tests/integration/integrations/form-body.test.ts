import { describe, expect, it } from 'vitest';
import { numberAt, parseFormBody, textAt } from '#app/integrations/test-stripe/form-body.server.ts';

describe('a form-encoded body', () => {
  it('is parsed with its nesting', () => {
    const body = parseFormBody('mode=x&a[b][c]=1&items[0][price]=p%5B1%5D&items[1][price]=q&a[d]=2');
    expect(textAt(body, 'mode')).toBe('x');
    expect(textAt(body, 'a', 'b', 'c')).toBe('1');
    expect(numberAt(body, 'a', 'd')).toBe(2);
    expect(textAt(body, 'items', '0', 'price')).toBe('p[1]');
    expect(textAt(body, 'items', '1', 'price')).toBe('q');
  });

  it('returns undefined for missing values and for those of another type', () => {
    const body = parseFormBody('a[b]=1&n=-5&[]=x');
    expect(textAt(body, 'a')).toBeUndefined();
    expect(textAt(body, 'a', 'b', 'c')).toBeUndefined();
    expect(textAt(body, 'constructor')).toBeUndefined();
    expect(numberAt(body, 'n')).toBeUndefined();
  });

  it('cannot reach a prototype', () => {
    const body = parseFormBody('__proto__[polluted]=1&constructor[prototype][polluted]=1');
    expect(textAt(body, '__proto__', 'polluted')).toBe('1');
    expect({}).not.toHaveProperty('polluted');
  });
});
