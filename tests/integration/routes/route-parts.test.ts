import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerBuild } from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RouteParts } from '#app/server/route-subset.server.ts';
import { sized } from '#tests/support/size.ts';
import { ACCESS } from './access-table.ts';
import { readManifest } from './route-manifest.ts';

const file = pathToFileURL(path.resolve('build/server/remix.js')).href;
const build = (await import(file)) as ServerBuild;
const parts = new RouteParts(build);
const patterns = (await readManifest()).map(({ pattern }) => pattern);
const words = [...new Set(patterns.flatMap((pattern) => pattern.split('/')))].filter(Boolean);

type RouteObject = Parameters<typeof matchRoutes>[0][number];

/** The routes of a build as the router wants them. */
function treeOf({ routes }: ServerBuild, parent = ''): RouteObject[] {
  return Object.values(routes).flatMap((route) => {
    if (route === undefined || (route.parentId ?? '') !== parent) return [];
    const { id, path: own, index } = route;
    return [
      index ? { id, path: own, index } : { id, path: own, children: treeOf({ routes } as ServerBuild, id) },
    ];
  }) as RouteObject[];
}
const trees = new Map<ServerBuild, RouteObject[]>();
function matchedBy(part: ServerBuild, pathname: string) {
  const tree = trees.get(part) ?? treeOf(part);
  trees.set(part, tree);
  return matchRoutes(tree, pathname)?.map(({ route, params }) => [route.id, params]);
}

function expectSame(pathname: string): void {
  const part = parts.partFor(pathname);
  expect(matchedBy(part, pathname), pathname).toEqual(matchedBy(build, pathname));
}

const segment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...words) },
  fc.constantFrom(
    '42',
    'Dashboard',
    'API',
    '%64ashboard',
    '%2F',
    '.data',
    'x.data',
    '..',
    ':id',
    '*',
    '__proto__',
  ),
  fc.string({ maxLength: 6 }).map(encodeURIComponent),
);

describe('a part of the routes matches a path like all of them', () => {
  it('for every address of the application, written in several ways', () => {
    const addresses = Object.values(ACCESS)
      .flat()
      .map(({ at }) => at.split('?')[0] ?? '');
    for (const at of new Set([...addresses, ...patterns]))
      for (const pathname of [
        at,
        `${at}/`,
        `${at}/.data`,
        at.toUpperCase(),
        `/${at}`,
        `${at}/more`,
        `${at}/a/b/c`,
      ])
        expectSame(pathname);
  });

  it('for any path', () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), fc.boolean(), (segments, isOpenEnded) =>
        expectSame(`/${segments.join('/')}${isOpenEnded ? '/' : ''}`),
      ),
      { numRuns: sized(1000, 3000) },
    );
  });

  it('with a few routes of many, and no more parts than needed', () => {
    const all = Object.keys(build.routes).length;
    for (const at of ['/', '/calculator', '/login', '/dashboard/vials/42', '/api/vials'])
      expect(Object.keys(parts.partFor(at).routes).length, at).toBeLessThan(all / 4);
    expect(parts.partFor('/calculator.data')).toBe(parts.partFor('/Calculator/'));
    expect(parts.partFor('/dashboard/made-up-1')).toBe(parts.partFor('/dashboard/made-up-2'));
    expect(parts.partFor('/made-up')).toBe(build);
    expect(parts.partFor('/%')).toBe(build);
  });
});
