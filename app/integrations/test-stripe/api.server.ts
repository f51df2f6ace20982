import { createHash } from 'node:crypto';
import { getResponse, http, HttpResponse, type HttpHandler } from 'msw';
import type { Log } from '#app/domain/log.ts';
import { parseFormBody } from './form-body.server.ts';
import { catchUp } from './subscription-life.server.ts';
import { invalid, Refusal } from './api-error.server.ts';
import type { Call, PriceIds } from './requests.server.ts';
import { API_ROUTES, type ApiRoute } from './routes.server.ts';
import { keepAnswer, sceneOf } from './context.server.ts';
import type { WorldStore } from './state-file.server.ts';
import { entryOf, type World } from './state.server.ts';

const API = 'https://api.stripe.com';

/** What the API needs of its surroundings. */
export interface ApiOptions {
  store: WorldStore;
  appUrl: string;
  prices: PriceIds;
  now(): Date;
  log: Log;
  /** Told after a step that left events in the outbox. */
  onEvents(): void;
}

interface Answer {
  status: number;
  body: unknown;
}

interface Asked {
  route: ApiRoute;
  id: string;
  text: string;
  key: string | null;
}

function compute(world: World, { route, id, text }: Asked, { appUrl, prices, now }: ApiOptions): Answer {
  const scene = sceneOf(world, now());
  catchUp(scene);
  const call: Call = { scene, id, body: parseFormBody(text), prices, appUrl };
  try {
    return { status: 200, body: route.answer(call) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: error.body };
  }
}

/** The same answer for the same key; a refusal for a key that comes again with other contents. */
function answerOnce(world: World, asked: Asked, options: ApiOptions): Answer {
  const { key, route, id, text } = asked;
  if (key === null || route.method !== 'post') return compute(world, asked, options);
  const fingerprint = createHash('sha256').update(`${route.path} ${id} ${text}`).digest('base64url');
  const known = entryOf(world.answers, key);
  if (known === undefined) {
    const answer = compute(world, asked, options);
    // Stripe keeps what it has begun to carry out; a refusal of the request itself it does not.
    if (answer.status === 200) keepAnswer(world, key, { fingerprint, ...answer });
    return answer;
  }
  if (known.fingerprint === fingerprint) return known;
  const { body } = invalid('Keys for idempotent requests can only be used with the same parameters.');
  return { status: 400, body: { error: { ...body.error, type: 'idempotency_error' } } };
}

/** A fault in here is a fault of the server that Stripe would be: logged, and told as 500. */
async function carryOut(asked: Asked, options: ApiOptions): Promise<Answer> {
  try {
    const { answer, hasEvents } = await options.store.change((world) => ({
      answer: answerOnce(world, asked, options),
      hasEvents: world.outbox.length > 0,
    }));
    if (hasEvents) options.onEvents();
    return answer;
  } catch (error) {
    options.log.error({ err: error, path: asked.route.path }, 'the test payments failed');
    return { status: 500, body: { error: { type: 'api_error', message: 'The test payments failed.' } } };
  }
}

function handler(route: ApiRoute, options: ApiOptions): HttpHandler {
  return http[route.method](`${API}${route.path}`, async ({ request, params }) => {
    const asked: Asked = {
      route,
      id: typeof params.id === 'string' ? params.id : '',
      text: await request.text(),
      key: request.headers.get('idempotency-key'),
    };
    const answer = await carryOut(asked, options);
    return HttpResponse.json(answer.body as Record<string, unknown>, {
      status: answer.status,
      headers: { 'Request-Id': 'req_test' },
    });
  });
}

/**
 * Stripe's API without a network: a `fetch` for Stripe's package, answered by msw. Nothing of this process is
 * patched (msw's `setupServer` would put itself before every request that the server makes), so no other traffic can
 * be caught by it.
 */
export function testStripeFetch(options: ApiOptions): typeof fetch {
  const handlers = API_ROUTES.map((route) => handler(route, options));
  return async (input, init) => {
    const request = new Request(input, init);
    const response = await getResponse(handlers, request);
    if (response !== undefined) return response;
    const { pathname } = new URL(request.url);
    const { body } = invalid(`Unrecognized request URL (${request.method}: ${pathname}).`);
    return Response.json(body, { status: 404 });
  };
}
