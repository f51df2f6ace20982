import type { IncomingHttpHeaders } from 'node:http';
import {
  context,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Histogram,
  type Span,
} from '@opentelemetry/api';

/** Under which name spans and metrics are recorded. */
export const METER = 'vialbook';

/** Asked for each time: it does nothing until `startTelemetry` has started an export of traces. */
const tracer = () => trace.getTracer(METER);

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs something in a span, which ends with it. Of an error only the name is recorded: its message may repeat what somebody typed. */
export function inSpan<T>(name: string, attributes: Attributes, run: () => T): T {
  return tracer().startActiveSpan(name, { attributes }, (span) => {
    const failed = (error: unknown) => {
      fail(span, error instanceof Error ? error.name : typeof error);
      span.end();
    };
    let result: T;
    try {
      result = run();
    } catch (error) {
      failed(error);
      throw error;
    }
    if (result instanceof Promise) result.then(() => span.end(), failed);
    else span.end();
    return result;
  });
}

/** Histograms of durations in seconds, by name, of the provider that was set when they were made. */
let made: { provider: unknown; histograms: Map<string, Histogram> } | undefined;

/** Records how long something took, in seconds. */
export function recordDuration(name: string, seconds: number, attributes: Attributes): void {
  const provider = metrics.getMeterProvider();
  if (made?.provider !== provider) made = { provider, histograms: new Map() };
  let histogram = made.histograms.get(name);
  if (histogram === undefined) {
    histogram = metrics.getMeter(METER).createHistogram(name, { unit: 's' });
    made.histograms.set(name, histogram);
  }
  histogram.record(seconds, attributes);
}

/** A request's span, within the trace of whoever sent it. */
export function requestSpan({ method, headers }: { method: string; headers: IncomingHttpHeaders }) {
  const span = tracer().startSpan(
    method,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
    propagation.extract(context.active(), headers),
  );
  return {
    /** Runs what answers the request, so that its spans belong to this one. */
    run: (answer: () => void): void => context.with(trace.setSpan(context.active(), span), answer),

    /** @param route see `routeNames`; paths, which may hold a secret, are not recorded */
    end({ route, status, ms }: { route: string; status: number; ms: number }): void {
      const attributes = { 'http.route': route, 'http.response.status_code': status };
      span.updateName(`${method} ${route}`).setAttributes(attributes);
      if (status >= 500) fail(span, String(status));
      span.end();
      const all = { 'http.request.method': method, ...attributes };
      recordDuration('http.server.request.duration', ms / 1000, all);
    },
  };
}

type Method = (...args: unknown[]) => unknown;

/** The same repositories, with a span for each call. */
export function withSpans<Repositories extends object>(repositories: Repositories): Repositories {
  const traced = (name: string, repository: object) =>
    Object.fromEntries(
      Object.entries(repository).map(([key, value]: [string, unknown]) => {
        if (typeof value !== 'function') return [key, value];
        const run = value.bind(repository) as Method;
        const attributes = { 'db.system.name': 'mongodb', 'db.operation.name': key };
        return [key, (...args: unknown[]) => inSpan(`${name}.${key}`, attributes, () => run(...args))];
      }),
    );
  const all = Object.entries(repositories) as [string, object][];
  return Object.fromEntries(all.map(([name, one]) => [name, traced(name, one)])) as Repositories;
}
