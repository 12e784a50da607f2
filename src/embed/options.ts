/** A host that is called in this process: it gets a request and gives its answer, as a server of the Fetch API does. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** One host and how it is reached. */
export interface ConformanceHost {
  /** Where the host is; what its own links begin with, where it is called in this process. Without credentials. */
  readonly baseUrl: string;
  /** The credential, sent as a bearer token to this host alone. It never stands in evidence or in a report. */
  readonly apiKey?: string;
  /** Called in the place of sockets, for a host that runs in this process. */
  readonly fetch?: FetchHandler;
}

/** The host under test, with what some rows need beside it: as reasons name it, by options of the command line, in brackets. */
export interface ConformanceTarget extends ConformanceHost {
  /** A credential of the same host's second tenant (`--tenant-b-key-env`). */
  readonly tenantBKey?: string;
  /** A credential of the same tenant that may read runs but not create them (`--limited-key-env`). */
  readonly limitedKey?: string;
  /** A credential of the same tenant that may not read runs (`--blind-key-env`). */
  readonly blindKey?: string;
  /** A second host, for what has to be the same on both (`--base-url-b`). */
  readonly second?: ConformanceHost;
}

/** What a run is asked to do; everything but the target may be left out. */
export interface RunConformanceOptions {
  readonly target: ConformanceTarget;
  /** Suites, scenarios (or checks) and requirements by their ids: each kind narrows further, none selects everything. */
  readonly suites?: readonly string[];
  readonly scenarios?: readonly string[];
  readonly requirements?: readonly string[];
  /** Which rows decide the verdict; `must` where nothing is given. */
  readonly level?: 'must' | 'should';
  /** Whether the verdict is conformant where something passed and nothing failed, whatever was left undecided. */
  readonly allowInconclusive?: boolean;
  readonly recipe?: 'rfc-0041' | 'rfc-0150';
  /** Seed of the generated requests: the same one gives the same run. Any where nothing is given. */
  readonly seed?: number;
  /** How many requests are generated (200), how often one log is forked at most (200), and how many advertised workflows are swept (all). */
  readonly vectors?: number;
  readonly forks?: number;
  readonly sweep?: number | 'all';
  /** JSON pointers of members of events that the host documents as volatile. */
  readonly volatile?: readonly string[];
  /** Requests under way at once (8). */
  readonly concurrency?: number;
  /** Milliseconds that one answer may take (`--timeout`; 10,000), and the whole run (`--max-time`; 600,000): what is left then is inconclusive. */
  readonly timeoutMs?: number;
  readonly maxTimeMs?: number;
  /** Where the witness listens (`--witness-listen`, `--witness-url`), whom the host under test calls as its tool and its model; 127.0.0.1 and any port where nothing is given. */
  readonly witness?: { readonly hostname?: string; readonly port?: number; readonly url?: string };
  /** Where the evidence is written, as NDJSON, credentials removed; for the owner alone. */
  readonly evidence?: string;
  /** Ends the run early: what was driven until then is judged, and the report's `interrupted` says so. */
  readonly signal?: AbortSignal;
  /** Called as scenarios begin, with how many are done. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number; readonly current: string }) => void;
}
