import { createHash, timingSafeEqual } from 'node:crypto';
import { prometheusText } from '#app/domain/system/prometheus.ts';
import type { Caller } from '#app/platform/access/context.server.ts';
import { metricFamilies } from './prometheus-metrics.server.ts';
import { currentApp } from '#app/platform/http/session.server.ts';

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };

/** Whoever knows the token of the settings looks after this server. */
const MONITOR: Caller = {
  actor: { kind: 'cli', osUser: 'metrics' },
  client: { address: 'monitoring', userAgent: null },
};

/** Compared by hash: neither the time it takes nor its length tells anything. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [given, wanted].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/** The figures in Prometheus' text format for whoever sends the token; without one in the settings there is no such page. */
export async function metricsResponse(request: Request): Promise<Response> {
  const { settings, contextFor, ping } = currentApp();
  const wanted = settings.METRICS_TOKEN;
  if (wanted === undefined) return new Response('There is nothing here.\n', { status: 404, headers: TEXT });
  const given = /^Bearer (.+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1] ?? '';
  if (!isSame(given, wanted)) {
    const headers = { ...TEXT, 'WWW-Authenticate': 'Bearer' };
    return new Response('This needs the token of METRICS_TOKEN.\n', { status: 401, headers });
  }
  const text = prometheusText(await metricFamilies(contextFor(MONITOR), ping));
  return new Response(text, {
    headers: { ...TEXT, 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
  });
}
