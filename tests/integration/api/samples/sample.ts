import type { ApiClient, CallOptions } from '../client.ts';
import type { World } from '../world.ts';

/** A real request to a call. */
export interface Request extends CallOptions {
  /** Values for the `{names}` in its path. */
  params?: Record<string, string>;
}

export type Caller = 'nobody' | 'free' | 'premium' | 'other' | 'admin' | 'suspended' | 'token';

/** A request that succeeds, and exceptions from the document's `x-access`. */
export interface Sample {
  /**
   * Creates what the request is about, as its owner, and returns the request. A call about an owned thing has `params`: for
   * other users it must not exist. Without it the call is sent as it is.
   */
  prepare?(owner: ApiClient, world: World): Promise<Request> | Request;
  /** It changes the owner's account or session, so each caller needs a separate owner. */
  altersOwner?: boolean;
  /** Statuses that do not follow from the document. */
  expect?: Partial<Record<Caller, number>>;
}

/** Samples by the call's `operationId`. */
export type Samples = Readonly<Record<string, Sample>>;
