import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { PRODUCT } from '../../db/vocabulary'
import type { Config, TracingConfig } from './config'
import type { Log } from './log'
import { COMMIT } from './version'

const STATEMENT_LENGTH = 2000
const WARN_EVERY_MS = 60_000
const EXPORT_LIMIT_MS = 5000

/** Logs a failed export at most once a minute. A failed export never affects a request. */
class WarningExporter extends OTLPTraceExporter {
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(
    { endpoint, headers }: TracingConfig,
    readonly log: Log,
  ) {
    super({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, headers, timeoutMillis: EXPORT_LIMIT_MS })
  }

  override export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
    super.export(spans, (result) => {
      if (result.code === ExportResultCode.FAILED && performance.now() - this.#warnedAt > WARN_EVERY_MS) {
        this.#warnedAt = performance.now()
        this.log('warn', 'traces could not be exported', { reason: String(result.error?.message ?? 'unknown') })
      }
      done(result)
    })
  }
}

export class Tracing {
  readonly #provider: TracerProvider
  readonly #tracer
  readonly #spans = new WeakMap<Request, Span>()

  constructor(
    tracing: TracingConfig,
    readonly config: Pick<Config, 'trustProxy'>,
    log: Log,
  ) {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': PRODUCT.name.toLowerCase(),
        'service.version': PRODUCT.version,
        'vcs.ref.head.revision': COMMIT,
      }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(tracing.sampleRatio) }),
      spanProcessors: [new BatchSpanProcessor({ exporter: new WarningExporter(tracing, log) })],
    })
    this.#tracer = this.#provider.getTracer(PRODUCT.name.toLowerCase())
  }

  /**
   * The trace of the caller is continued only if `TRUST_PROXY` is on. Without a trusted proxy, any client could send
   * trace headers.
   */
  requestSpan<Handler>(request: Request, handle: Handler): Handler {
    const parent = this.config.trustProxy
      ? propagation.extract(context.active(), Object.fromEntries(request.headers))
      : context.active()
    const span = this.#tracer.startSpan(request.method, { kind: SpanKind.SERVER }, parent)
    this.#spans.set(request, span)
    return context.bind(trace.setSpan(parent, span), handle)
  }

  /** @returns the trace id, or undefined if the request is not traced */
  endRequest(request: Request, route: string, status: number, id: string): string | undefined {
    const span = this.#spans.get(request)
    if (!span?.isRecording()) return undefined
    span.updateName(`${request.method} ${route}`)
    span.setAttributes({
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': status,
      'yardmaster.request_id': id,
    })
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    return span.spanContext().traceId
  }

  /** Adds a statement that has just ended to the current trace. */
  statement(text: string, ms: number) {
    if (!trace.getActiveSpan()?.isRecording()) return
    const endedAt = Date.now()
    const statement = text.replace(/\s+/g, ' ').trim().slice(0, STATEMENT_LENGTH)
    this.#tracer
      .startSpan(/^\w+/.exec(statement)?.[0].toLowerCase() ?? 'statement', {
        kind: SpanKind.CLIENT,
        startTime: endedAt - ms,
        attributes: { 'db.system.name': 'postgresql', 'db.query.text': statement },
      })
      .end(endedAt)
  }

  async close() {
    await this.#provider.shutdown().catch(() => {})
  }
}
