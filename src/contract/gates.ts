import { advertisedRecipe, executionModelVersion, member, type Discovery, type Placed } from './discovery.ts';

/** The planner's answer for a gate, with the advertised value that decided it. */
export interface GateAnswer {
  readonly open: boolean;
  readonly because: string;
  /** Where what is advertised is of a wrong type, so that it says neither yes nor no: the check that says so. */
  readonly restsOn?: string;
}

/** What must be advertised for a scenario to apply. Pure: reads the discovery document only. */
export type Gate<Part extends keyof Discovery = keyof Discovery> = (discovery: Pick<Discovery, Part>) => GateAnswer;

/**
 * A vendor's recipe name: `x-host-<host>-<recipe>` (0041 §D). The host ends at the first hyphen before a letter; where it
 * could end anywhere, a long name that does not match would take quadratic time.
 */
export const VENDOR_RECIPE = /^x-host-[a-z](?:[a-z0-9]|-(?![a-z]))*-[a-z][a-z0-9-]*$/u;

/** Always open. */
export const always: Gate = () => ({ open: true, because: 'applies to every host' });

/** executionModel.version >= 4 and replayDeterminism.supported (replay.md, Conformance gating). */
export const phase4: Gate = (discovery) => {
  const model = discovery.executionModel;
  if (model === undefined) return withoutModel(discovery, false);
  const version = executionModelVersion(discovery);
  if (version === undefined || version < 4) {
    const advertised = member(model.value, 'version');
    const because = `${model.pointer}/version is ${shown(advertised)}, not an integer from 4 up`;
    return { open: false, because, ...unread(version ?? advertised, 'number', model, MODEL_ROW) };
  }
  const block = discovery.replayDeterminism;
  const supported = member(block?.value, 'supported');
  if (supported !== true) {
    const because = `${model.pointer}/replayDeterminism/supported is ${shown(supported)}`;
    return { open: false, because, ...unread(supported, 'boolean', block, 'discovery.replay-determinism') };
  }
  return { open: true, because: `${model.pointer}/version is ${version}` };
};

/** No execution model at all, or one below version 4. */
export const belowVersionFour: Gate = (discovery) => {
  const model = discovery.executionModel;
  if (model === undefined) return withoutModel(discovery, true);
  const version = executionModelVersion(discovery);
  const advertised = member(model.value, 'version');
  const because = `${model.pointer}/version is ${shown(advertised)}`;
  const open = version !== undefined && version >= 1 && version < 4;
  return { open, because, ...unread(version ?? advertised, 'number', model, MODEL_ROW) };
};

/** Phase 4 under the canonical recipe: a vendor recipe's digest cannot be recomputed (readings, LLM cache key). */
export const canonicalRecipe: Gate = (discovery) => {
  const base = phase4(discovery);
  const recipe = advertisedRecipe(discovery.replayDeterminism);
  if (!base.open || recipe === undefined || !VENDOR_RECIPE.test(recipe)) return base;
  return { open: false, because: `llmCacheKeyRecipe is ${shown(recipe)}, whose digest cannot be recomputed` };
};

/** executionModel.supported is true (rfc-0037 §C). */
export const executionModel: Gate = (discovery) => {
  const { executionModel: model } = discovery;
  return model === undefined ? withoutModel(discovery, false) : supportedIn(model, NO_MODEL, MODEL_ROW);
};

/** The execution model and phase 4 of it: handoffs, and replays of them. */
export const handoffReplay: Gate = (discovery) => {
  const model = executionModel(discovery);
  return model.open ? phase4(discovery) : model;
};

/** The execution model is not advertised, or said not to be supported. */
export const noExecutionModel: Gate = (discovery) => {
  const { executionModel: model } = discovery;
  if (model === undefined) return withoutModel(discovery, true);
  const supported = member(model.value, 'supported');
  const open = supported === false || supported === undefined;
  return { ...supportedIn(model, NO_MODEL, MODEL_ROW), open };
};

/** A replay block that says that replay is supported. */
export const replaySupported: Gate = ({ replay }) => supportedIn(replay, NO_REPLAY, 'discovery.shape');

/** A replay block that announces determinism reports (replay.md, Determinism scoring; docs/seams.md). */
export const determinismReport: Gate<'replay'> = ({ replay }) => {
  const value = member(replay?.value, 'determinismReport');
  const report = replay && value !== undefined ? { pointer: `${replay.pointer}/determinismReport`, value } : undefined;
  return supportedIn(report, 'no determinism report is advertised', undefined, supportIn(value));
};

/** The feedback family, which annotations belong to (wire-contract, Documents). */
export const feedback: Gate<'feedback'> = ({ feedback: family }) =>
  supportedIn(family, 'feedback is not advertised', undefined, supportIn(family?.value));

/** An extension block that says that there is a Run Timeline View (replay.md, Run Timeline View; docs/seams.md). */
export const runTimeline: Gate<'timeline'> = ({ timeline }) =>
  supportedIn(timeline, 'extensions/x-openwop-run-timeline is not advertised');

/** Both capabilities of a host with several regions (replay.md, Cross-region replay). */
export const multiRegion: Gate = ({ multiRegionIdempotency, crossEngineOrdering }) => {
  const [one, other] = [supportIn(multiRegionIdempotency?.value), supportIn(crossEngineOrdering?.value)];
  const because = `idempotency.multiRegion.supported is ${shown(one)}, eventLog.crossEngineOrdering.supported is ${shown(other)}`;
  return { open: one === true && other === true, because };
};

/** An extension block that says that the provable semantics are supported (readings, Extension block). */
export const provableSemantics: Gate = ({ provable }) =>
  supportedIn(provable, 'extensions/x-openwop-provable-semantics is not advertised');

/** The three ways of a replay verification that fails (provable-semantics §5). */
export type VerificationMode = 'strict' | 'warn' | 'human-in-loop';

/** The provable semantics, and this mode among verificationModes. A host that lists none has the default, strict. */
export function verificationMode(mode: VerificationMode): Gate {
  return (discovery) => {
    const base = provableSemantics(discovery);
    const { provable } = discovery;
    if (!base.open || provable === undefined) return base;
    const modes = member(provable.value, 'verificationModes') ?? ['strict'];
    const open = Array.isArray(modes) && modes.includes(mode);
    const pointer = `${provable.pointer}/verificationModes`;
    return { open, because: open ? `${pointer} names ${mode}` : `${pointer} does not name ${mode}` };
  };
}

const MODEL_ROW = 'discovery.execution-model';
const NO_MODEL = 'multiAgent.executionModel is not advertised';
/** What a gate says where no model is advertised; whether one is, cannot be read in a family that is no object. */
function withoutModel({ multiAgent: family }: Pick<Discovery, 'multiAgent'>, open: boolean): GateAnswer {
  if (family === undefined || family.value === null || isObject(family.value)) return { open, because: NO_MODEL };
  const because = `${family.pointer} is ${shown(family.value)}, no object`;
  return { open: false, because, restsOn: 'discovery.shape' };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NO_REPLAY = 'no replay block is advertised';

/** What a host says of its support of something: in a block, or by a flag alone. */
function supportIn(said: unknown): unknown {
  return typeof said === 'boolean' ? said : member(said, 'supported');
}

/** Open where a block says that what it is about is supported; `row` is the check that judges what it says that by, where one does. */
function supportedIn(
  block: Placed | undefined,
  without: string,
  row?: string,
  supported: unknown = member(block?.value, 'supported'),
): GateAnswer {
  if (block === undefined) return { open: false, because: without };
  const because = `${block.pointer}/supported is ${shown(supported)}`;
  return { open: supported === true, because, ...(row !== undefined && unread(supported, 'boolean', block, row)) };
}

/** What a gate rests on where a member, or the block around it, is there and is of another type; a fraction is no version. */
function unread(
  value: unknown,
  type: 'boolean' | 'number',
  block: Placed | undefined,
  check: string,
): Pick<GateAnswer, 'restsOn'> {
  const isRead = value === undefined || (type === 'number' ? Number.isInteger(value) : typeof value === type);
  return block === undefined || (isObject(block.value) && isRead) ? {} : { restsOn: check };
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value).slice(0, 80);
}
