import type { ApiClient, CallOptions } from '../client.ts';
import type { World } from '../world.ts';

/** One real request of a call. */
export interface Request extends CallOptions {
  /** For the `{names}` in its path. */
  params?: Record<string, string>;
}

export type Caller = 'nobody' | 'free' | 'premium' | 'other' | 'admin' | 'suspended' | 'token';

/** A request that succeeds, and who does not get what the document's `x-access` says. */
export interface Sample {
  /**
   * Makes what the request is about, as its owner, and gives the request. A call about something that belongs to
   * somebody has `params`: to another user it must not exist. Without it the call is sent as it stands.
   */
  given?(owner: ApiClient, world: World): Promise<Request> | Request;
  /** It changes the owner's account or sign-in, so each caller needs an owner of their own. */
  altersOwner?: boolean;
  /** Statuses that do not follow from the document. */
  expect?: Partial<Record<Caller, number>>;
}

/** Samples by the call's `operationId`. */
export type Samples = Readonly<Record<string, Sample>>;
