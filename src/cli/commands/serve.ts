import {
  BadDataFile,
  CannotListen,
  createReferenceHost,
  defaultCredentials,
  FAILPOINTS,
  listen,
  type Region,
} from '../../../reference-host/index.ts';
import { present } from '../../contract/present.ts';
import { armedFailpoint, spanCollector } from '../serving.ts';
import { untilStopped } from '../interruption.ts';
import { print, printError, printJson } from '../printer.ts';
import { UsageError } from '../../contract/usage-error.ts';

/** How long a tool or a model may take, in milliseconds: as long as `--timeout` waits for one answer. */
const PATIENCE_MS = 10_000;

export interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  readonly region?: Region;
  readonly otlpEndpoint?: string;
  readonly enableTestSeams?: true;
  readonly enableRegistration?: true;
  readonly shareResponses?: true;
  readonly onlyPublicWorkflows?: true;
  readonly retention?: number;
  readonly ui: boolean;
  readonly untilStdinEnds?: true;
  readonly json?: true;
}

/**
 * `serve`: starts the reference host, prints one line and stays until SIGINT, SIGTERM or SIGHUP, or until its standard
 * input ends where that is asked for. Returns 0 after a clean end.
 */
export async function serve(flags: ServeFlags): Promise<number> {
  if (flags.region !== undefined && flags.data === undefined) {
    throw new UsageError('--region needs --data: a region is one of several processes that serve one file');
  }
  const collector = spanCollector(flags.otlpEndpoint, process.env);
  const failpoint = armedFailpoint(process.env, FAILPOINTS);
  const { apiKey, otherTenantApiKey, credentials } = defaultCredentials();
  const pages = flags.ui ? (await import('../../timeline/index.ts')).hostTimeline : undefined;
  const stopped = untilStopped(flags.untilStdinEnds === true);
  try {
    const host = createReferenceHost({
      credentials,
      patienceMs: PATIENCE_MS,
      enableTestSeams: flags.enableTestSeams ?? false,
      enableRegistration: flags.enableRegistration ?? false,
      shareResponses: flags.shareResponses ?? false,
      onlyPublicWorkflows: flags.onlyPublicWorkflows ?? false,
      ...present({ retentionSeconds: flags.retention, data: flags.data, region: flags.region }),
      ...present({ pages, otlpEndpoint: collector, failpoint }),
    });
    if (host.notice !== undefined) printError(`${host.notice}\n`);
    const server = await listen(host, { hostname: flags.host, port: flags.port }).catch(async (error: unknown) => {
      await host.close();
      throw error;
    });
    const { baseUrl } = server;
    if (flags.json === true) printJson({ baseUrl, apiKey, otherTenantApiKey });
    else print(`reference host at ${baseUrl}  api key ${apiKey}  other tenant's key ${otherTenantApiKey}\n`);
    await stopped;
    // An open standard input would keep the process.
    if (flags.untilStdinEnds === true) process.stdin.destroy();
    await server.close();
    await host.close();
    return 0;
  } catch (error) {
    if (error instanceof BadDataFile || error instanceof CannotListen) {
      throw new UsageError(error.message, { cause: error });
    }
    throw error;
  }
}
