import { metrics } from '@opentelemetry/api';
import type { Log } from '#app/domain/log.ts';
import type { ProcessMetrics } from '#app/platform/metrics/process-metrics.server.ts';
import { METER } from './spans.server.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A kind of data, as OpenTelemetry names it in its variables. */
type Signal = 'TRACES' | 'METRICS';

/**
 * Whether the environment asks to export a kind of data, by the variables of OpenTelemetry's specification. Without any of them
 * nothing is exported, and nothing of the library but its interface is loaded.
 */
export function exportsSignal(environment: Environment, signal: Signal): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporter = environment[`OTEL_${signal}_EXPORTER`];
  if (exporter) return exporter.split(',').includes('otlp');
  return Boolean(
    environment.OTEL_EXPORTER_OTLP_ENDPOINT || environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`],
  );
}

/** Running exports. */
export interface Telemetry {
  hasTraces: boolean;
  /** Sends what is left. */
  stop(): Promise<void>;
}

const NONE: Telemetry = { hasTraces: false, stop: () => Promise.resolve() };

/** How long the last data may take to leave when the process ends, in ms. */
const LAST_MS = 3000;

/** What describes this process, unless `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` say otherwise. */
async function resourceOf(kind: 'server' | 'worker') {
  const { detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources');
  const own = { 'service.name': 'vialbook', 'process.pid': process.pid, 'vialbook.process': kind };
  return resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] }));
}

async function startTraces(kind: 'server' | 'worker') {
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
  const provider = new NodeTracerProvider({ resource: await resourceOf(kind), spanProcessors });
  provider.register();
  return () => provider.shutdown();
}

/** How often metrics are sent, in ms, if the environment does not say. By OpenTelemetry's specification. */
const EVERY_MS = 60_000;

async function startMetrics(kind: 'server' | 'worker', environment: Environment, process_: ProcessMetrics) {
  const { MeterProvider, PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics');
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
  const exportIntervalMillis = Number(environment.OTEL_METRIC_EXPORT_INTERVAL) || EVERY_MS;
  const exportTimeoutMillis = Math.min(exportIntervalMillis, 30_000);
  const exporter = new OTLPMetricExporter();
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis });
  const provider = new MeterProvider({ resource: await resourceOf(kind), readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  const meter = metrics.getMeter(METER);
  const memory = meter.createObservableGauge('process.memory.usage', { unit: 'By' });
  memory.addCallback((result) => result.observe(process_.figures().residentBytes));
  const lag = meter.createObservableGauge('nodejs.eventloop.delay.p99', { unit: 's' });
  lag.addCallback((result) => result.observe(process_.figures().lag.p99 / 1000));
  return () => provider.shutdown();
}

/** Starts what the environment asks for. A collector that does not answer costs data, never a request. */
export async function startTelemetry(
  kind: 'server' | 'worker',
  environment: Environment,
  { log, process: process_ }: { log: Log; process: ProcessMetrics },
): Promise<Telemetry> {
  const hasTraces = exportsSignal(environment, 'TRACES');
  const hasMetrics = exportsSignal(environment, 'METRICS');
  if (!hasTraces && !hasMetrics) return NONE;
  const ends: (() => Promise<void>)[] = [];
  if (hasTraces) ends.push(await startTraces(kind));
  if (hasMetrics) ends.push(await startMetrics(kind, environment, process_));
  return {
    hasTraces,
    async stop() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_MS).unref());
      const sent = Promise.all(ends.map((end) => end())).then(
        () => undefined,
        (err: unknown) => log.warn({ err }, 'the last traces and metrics were not sent'),
      );
      await Promise.race([sent, late]);
    },
  };
}
