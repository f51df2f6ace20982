import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { DOCUMENT } from './document.ts';
import { useApi } from './world.ts';

/**
 * A client as a third party would write it: types generated from the document, a dozen lines of fetch, and the main journey:
 * an account, a vial, a schedule, a taken dose. It must compile without a cast, and run.
 */
const PROGRAM = `
import type { paths } from './api.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Json<Of> = Of extends { content: { 'application/json': infer Body } } ? Body : never;
type Sent<Call> = Call extends { requestBody?: infer Of } ? Json<NonNullable<Of>> : never;
type Given<Call> = Call extends { responses: infer All }
  ? Json<All extends { 201: infer Made } ? Made : All extends { 200: infer Done } ? Done : never>
  : never;
type Query<Call> = Call extends { parameters: { query?: infer Of } } ? Of : never;
interface Options<Call> {
  params?: Record<string, string>;
  query?: Query<Call>;
  body?: Sent<Call>;
}

export async function run(base: string, email: string, password: string) {
  let token = '';
  async function call<Path extends keyof paths, M extends Method>(
    method: M,
    path: Path,
    { params = {}, query, body }: Options<paths[Path][M]> = {},
  ): Promise<Given<paths[Path][M]>> {
    const address = path.replace(/\\{(\\w+)\\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const search = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]));
    const answer = await fetch(base + address + '?' + search, {
      method: method.toUpperCase(),
      headers: { 'content-type': 'application/json', ...(token && { authorization: 'Bearer ' + token }) },
      ...(method === 'get' ? {} : { body: JSON.stringify(body ?? {}) }),
    });
    if (!answer.ok) throw new Error(method + ' ' + path + ': ' + (await answer.text()));
    return (await answer.json()) as Given<paths[Path][M]>;
  }

  const account = { email, password, confirmPassword: password, agreeToTerms: true, ageVerification: true } as const;
  token = (await call('post', '/api/auth/register', { body: { ...account, plan: 'trial' } })).data.token;
  const { compound } = (
    await call('post', '/api/compounds', { body: { name: 'BPC-157', concentration: 2.5, totalAmount: 5 } })
  ).data;
  const today = new Date().toISOString().slice(0, 10);
  const plan = { doseAmount: 250, doseUnit: 'mcg', times: ['00:00'], timeZone: 'UTC', startDate: today } as const;
  await call('post', '/api/schedules', {
    body: { ...plan, times: [...plan.times], name: 'BPC-157', compoundId: compound.id, frequency: { kind: 'daily' } },
  });
  const end = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const query = { status: 'pending', start: today, end, limit: 5 } as const;
  const { doses, total } = (await call('get', '/api/schedules/doses', { query })).data;
  const first = doses[0];
  if (first === undefined) throw new Error('no dose');
  const params = { id: first.id };
  const { dose } = (await call('patch', '/api/schedules/doses/{id}/taken', { params, body: {} })).data;
  const left = (await call('get', '/api/compounds/{id}', { params: { id: compound.id } })).data.compound;
  return { total, status: dose.status, remaining: left.remainingAmount.toFixed(2) };
}
`;

const world = useApi();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vialbook-client-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('a client with types from the document compiles and does the main job', async () => {
  const types = astToString(await openapiTypes(JSON.parse(JSON.stringify(DOCUMENT)) as OpenAPI3));
  const program = path.join(folder, 'client.ts');
  await writeFile(path.join(folder, 'api.ts'), types);
  await writeFile(program, PROGRAM);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  };
  const problems = ts.getPreEmitDiagnostics(ts.createProgram([program], options));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);

  const { outputText } = ts.transpileModule(PROGRAM, { compilerOptions: options });
  const runnable = path.join(folder, 'client.mjs');
  await writeFile(runnable, outputText);
  const { run } = (await import(/* @vite-ignore */ pathToFileURL(runnable).href)) as {
    run(base: string, email: string, password: string): Promise<object>;
  };
  expect(await run(world.web.url, 'typed@example.org', PASSWORD)).toEqual({
    total: 7,
    status: 'taken',
    remaining: '4.75',
  });
});

it('the document is small enough to be read in one go', () => {
  expect(JSON.stringify(DOCUMENT).length).toBeLessThan(400_000);
});
