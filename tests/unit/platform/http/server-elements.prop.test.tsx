import { Link } from '@remix-run/react';
import fc from 'fast-check';
import { Children, cloneElement, isValidElement, useId, type ComponentProps, type ReactElement } from 'react';
import * as react from 'react/jsx-runtime';
import { describe, expect, it } from 'vitest';
import * as server from '#app/platform/http/server-elements.server.ts';
import { renderPage } from '#tests/unit/components/render-page.tsx';

const ServerLink = server.serverLink(Link);

/** Its id depends on its position among React's children. */
const Numbered = () => <b id={useId()}>mg</b>;

const segment = fc.oneof(
  fc.constantFrom('', '.', '..', 'vials', 'a.b', '...', ':id', '%2F', 'ü ö', '*'),
  fc.string(),
);
const address = fc.oneof(
  fc
    .tuple(
      fc.array(segment, { maxLength: 4 }),
      fc.constantFrom('', '?', '?a=1&b=%20', '?a?b', '#', '#top', '?#', '?a#', '?a=/../x', '#a?b'),
      fc.constantFrom('/', '', './', '../'),
    )
    .map(([segments, end, start]) => `${start}${segments.join('/')}${end}`)
    // The router warns about each.
    .filter((to) => !/^[^?#]*\/\//.test(to)),
  fc.constantFrom('https://vials.example/x', 'mailto:a@b.example', '', '.', '?a=1', '#top'),
  fc.record({ pathname: fc.constantFrom('/vials', 'vials', '..'), search: fc.constantFrom('', '?a=1') }),
);
const some = <T,>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const props: fc.Arbitrary<ComponentProps<typeof Link>> = fc.record(
  {
    to: address,
    className: some('btn', ''),
    target: some('_blank'),
    'aria-current': some('page' as const),
    hidden: some(true, false),
    prefetch: some('intent', 'none', 'render', 'viewport'),
    discover: some('none', 'render'),
    reloadDocument: some(true, false),
    relative: some('path', 'route'),
    replace: some(true),
    preventScrollReset: some(true),
    viewTransition: some(true),
    state: some({ from: 'here' }),
    onClick: some(() => undefined),
    title: some('<"&">'),
  },
  { requiredKeys: ['to'] },
) as never;

const page = (link: ReactElement, at: string) => renderPage(<main>{link}</main>, at);

describe('a server-rendered link', () => {
  it('equals Remix’s, whatever its target and page', () => {
    fc.assert(
      fc.property(props, fc.constantFrom('/', '/calculator?a=1', '/dashboard/vials/'), (given, at) => {
        const children = [<Numbered key="unit" />, ' of it'];
        expect(page(<ServerLink {...given}>{children}</ServerLink>, at)).toBe(
          page(<Link {...given}>{children}</Link>, at),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('does not ask the router about absolute paths', () => {
    const Asked = server.serverLink((() => <i>asked</i>) as unknown as typeof Link);
    const shown = (to: string) => page(<Asked to={to}>go</Asked>, '/');
    for (const to of ['/', '/vials', '/vials/vial_1/edit?from=%2Fa&b=..//#top', '/vials/', '/a.b/...'])
      expect(shown(to)).toBe(
        `<main><a data-discover="true" href="${to.replace('&', '&amp;')}">go</a></main>`,
      );
    for (const to of [
      'vials',
      '..',
      '//other.example',
      '/a//b',
      '/a/../b',
      '/.',
      '/a?',
      '/a#',
      'https://x.example',
    ])
      expect(shown(to), to).toBe('<main><i>asked</i></main>');
  });
});

describe('a server-created element', () => {
  function Named({ name = 'nobody', children }: { name?: string; children?: React.ReactNode }) {
    return (
      <p>
        {name}: {children}
      </p>
    );
  }
  const WithDefaults = Object.assign((given: { name?: string }) => <Named {...given} />, {
    defaultProps: { name: 'BPC-157' },
  });
  const types = fc.constantFrom<React.ElementType>('div', 'input', Named, WithDefaults, 'b');
  const keys = fc.option(fc.oneof(fc.string(), fc.integer()), { nil: undefined });
  const given = fc.record(
    { name: fc.string(), title: fc.string(), children: fc.constantFrom('a', undefined) },
    { requiredKeys: [] },
  );

  it("equals React's own, without copying its props", () => {
    fc.assert(
      fc.property(types, given, keys, (type, properties, key) => {
        const [ours, theirs] = [server, react].map(({ jsx }) =>
          (jsx as (...all: unknown[]) => ReactElement)(type, { ...properties }, key),
        ) as [ReactElement, ReactElement];
        expect(isValidElement(ours)).toBe(true);
        expect(ours.type).toBe(theirs.type);
        expect(ours.props).toEqual(theirs.props);
        expect(ours.key).toBe(theirs.key);
      }),
    );
  });

  it('keeps its ref, can be cloned, and counts among children', () => {
    const ref = { current: null };
    const element = server.jsx('input', { ref, name: 'dose' }, 'a') as ReactElement & { ref: unknown };
    expect([element.ref, element.key, element.props]).toEqual([ref, 'a', { name: 'dose' }]);
    expect(cloneElement(server.jsx('a', { href: '/' }), { title: 'x' }).props).toEqual({
      href: '/',
      title: 'x',
    });
    expect(Children.count([server.jsx('b', {}), server.jsxs('i', { children: ['a', 'b'] })])).toBe(2);
  });

  it('uses its props object directly', () => {
    const properties = { children: 'a' };
    expect(server.jsx('div', properties).props).toBe(properties);
  });
});
