import { describe, expect, it } from 'vitest';
import { routeNames } from '#app/server/route-names.server.ts';

const PATHS = ['dashboard', 'vials', ':id/edit', '/api/compounds/{id}', 'share.:token', '*'];

describe('the name of a request’s route', () => {
  it.each([
    ['/', '/'],
    ['/dashboard', '/dashboard'],
    ['/dashboard/vials/abc/edit', '/dashboard/vials/:id/edit'],
    ['/dashboard/vials.data', '/dashboard/vials'],
    ['/api/compounds/comp_123', '/api/compounds/:id'],
    ['//dashboard//vials/', '/dashboard/vials'],
    ['/dashboard/__proto__/constructor', '/dashboard/:id/:id'],
  ])('of %s is %s', (path, name) => expect(routeNames(PATHS)(path, 200)).toBe(name));

  it('is the same for all that no route takes', () => {
    const nameOf = routeNames(PATHS);
    expect([nameOf('/dashboard', 404), nameOf('/vials', 405)]).toEqual(['other', 'other']);
  });

  it('is one of a thousand at most, whatever is asked', () => {
    const nameOf = routeNames(['a', 'b']);
    const asked = Array.from(
      { length: 5000 },
      (_, n) => `/${n.toString(2).replaceAll('0', 'a/').replaceAll('1', 'b/')}`,
    );
    expect(new Set(asked.map((path) => nameOf(path, 200))).size).toBe(1001);
    expect(nameOf(asked[0] ?? '', 200)).not.toBe('other');
  });
});
