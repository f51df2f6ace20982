import { AppError } from '#app/domain/errors.ts';
import { failure, respond } from './answer.server.ts';
import { serve, type RouteArgs } from './call.server.ts';
import type { Method, Operation } from './operation.ts';

/** Loader and action of a resource route under `/api`. */
export interface ApiRoute {
  loader(args: RouteArgs): Promise<Response>;
  action(args: RouteArgs): Promise<Response>;
}

/** The route of one address: its calls by method. Any other method is 405. */
export function apiRoute(operations: Readonly<Partial<Record<Method, Operation>>>): ApiRoute {
  const handle = (args: RouteArgs) => serve(args, operations);
  return { loader: handle, action: handle };
}

/** 404 in the envelope, for what no route answers. */
export function unknownAddress({ request, context }: RouteArgs): Promise<Response> {
  const error = new AppError('NOT_FOUND', 'There is no such call. All calls: /api/docs, /api/openapi.json');
  return respond(request, failure(error, context.requestId));
}
