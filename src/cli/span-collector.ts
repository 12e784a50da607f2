import { UsageError } from '../contract/usage-error.ts';

/** OpenTelemetry's variables in their order; the general one is an address below which the signals have their own. */
const VARIABLES = [
  { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', path: '' },
  { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', path: '/v1/traces' },
] as const;

/** Where the spans go by the flag, or else by the environment; undefined where neither says. Throws UsageError. */
export function spanCollector(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (flag !== undefined) return address('--otlp-endpoint', flag);
  const found = VARIABLES.find(({ name }) => (env[name] ?? '') !== '');
  if (found === undefined) return undefined;
  const value = address(found.name, env[found.name] ?? '');
  return found.path === '' ? value : value.replace(/\/+$/, '') + found.path;
}

function address(source: string, value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new UsageError(`${source} must be an http or https address`);
}
