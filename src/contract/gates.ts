import { advertisedRecipe, executionModelVersion, member, type Discovery } from './discovery.ts';

/** The planner's answer for a gate, with the advertised value that decided it. */
export interface GateAnswer {
  readonly open: boolean;
  readonly because: string;
}

/** What must be advertised for a scenario to apply. Pure: reads the discovery document only. */
export type Gate = (discovery: Discovery) => GateAnswer;

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
  if (model === undefined) return { open: false, because: 'multiAgent.executionModel is not advertised' };
  const version = executionModelVersion(discovery);
  if (version === undefined || version < 4) {
    const advertised = shown(member(model.value, 'version'));
    return { open: false, because: `${model.pointer}/version is ${advertised}, not an integer from 4 up` };
  }
  const supported = member(discovery.replayDeterminism?.value, 'supported');
  if (supported !== true) {
    return { open: false, because: `${model.pointer}/replayDeterminism/supported is ${shown(supported)}` };
  }
  return { open: true, because: `${model.pointer}/version is ${version}` };
};

/** No execution model at all, or one below version 4. A version that is none decides nothing here: its own row fails. */
export const belowVersionFour: Gate = (discovery) => {
  const model = discovery.executionModel;
  if (model === undefined) return { open: true, because: 'multiAgent.executionModel is not advertised' };
  const version = executionModelVersion(discovery);
  const because = `${model.pointer}/version is ${shown(member(model.value, 'version'))}`;
  return { open: version !== undefined && version >= 1 && version < 4, because };
};

/** Phase 4 under the canonical recipe: a vendor recipe's digest cannot be recomputed (readings, LLM cache key). */
export const canonicalRecipe: Gate = (discovery) => {
  const base = phase4(discovery);
  const recipe = advertisedRecipe(discovery);
  if (!base.open || recipe === undefined || !VENDOR_RECIPE.test(recipe)) return base;
  return { open: false, because: `llmCacheKeyRecipe is ${shown(recipe)}, whose digest cannot be recomputed` };
};

/** Phase 4 and a replay block that names the mode `replay`. */
export const replayAdvertised: Gate = (discovery) => {
  const base = phase4(discovery);
  if (!base.open) return base;
  const { replay } = discovery;
  if (replay === undefined) return { open: false, because: 'no replay block is advertised' };
  const modes = member(replay.value, 'modes');
  if (member(replay.value, 'supported') === true && Array.isArray(modes) && modes.includes('replay')) {
    return { open: true, because: `${replay.pointer}/modes names replay` };
  }
  return { open: false, because: `${replay.pointer} does not offer the mode replay` };
};

/** executionModel.supported is true (rfc-0037 §C). */
export const executionModel: Gate = ({ executionModel: model }) => {
  if (model === undefined) return { open: false, because: 'multiAgent.executionModel is not advertised' };
  const supported = member(model.value, 'supported');
  return { open: supported === true, because: `${model.pointer}/supported is ${shown(supported)}` };
};

/** The execution model and phase 4 of it: handoffs, and replays of them. */
export const handoffReplay: Gate = (discovery) => {
  const model = executionModel(discovery);
  return model.open ? phase4(discovery) : model;
};

/** The execution model is not advertised, or said not to be supported. A flag that is no boolean decides nothing here. */
export const noExecutionModel: Gate = ({ executionModel: model }) => {
  if (model === undefined) return { open: true, because: 'multiAgent.executionModel is not advertised' };
  const supported = member(model.value, 'supported');
  const open = supported === false || supported === undefined;
  return { open, because: `${model.pointer}/supported is ${shown(supported)}` };
};

/** A replay block that says that replay is supported. */
export const replaySupported: Gate = ({ replay }) => {
  if (replay === undefined) return { open: false, because: 'no replay block is advertised' };
  const supported = member(replay.value, 'supported');
  return { open: supported === true, because: `${replay.pointer}/supported is ${shown(supported)}` };
};

/** A replay block that announces determinism reports (replay.md, Determinism scoring; docs/seams.md). */
export const determinismReport: Gate = ({ replay }) => {
  const report = member(replay?.value, 'determinismReport');
  if (replay === undefined || report === undefined)
    return { open: false, because: 'no determinism report is advertised' };
  const supported = report === true ? true : member(report, 'supported');
  return { open: supported === true, because: `${replay.pointer}/determinismReport/supported is ${shown(supported)}` };
};

/** The feedback family, which annotations belong to (wire-contract, Documents). */
export const feedback: Gate = ({ feedback: family }) => {
  if (family === undefined) return { open: false, because: 'feedback is not advertised' };
  const supported = member(family.value, 'supported');
  return { open: supported === true, because: `${family.pointer}/supported is ${shown(supported)}` };
};

/** Both capabilities of a host with several regions (replay.md, Cross-region replay). */
export const multiRegion: Gate = ({ multiRegionIdempotency, crossEngineOrdering }) => {
  const [one, other] = [
    member(multiRegionIdempotency?.value, 'supported'),
    member(crossEngineOrdering?.value, 'supported'),
  ];
  const because = `idempotency.multiRegion.supported is ${shown(one)}, eventLog.crossEngineOrdering.supported is ${shown(other)}`;
  return { open: one === true && other === true, because };
};

/** An extension block that says that the provable semantics are supported (readings, Extension block). */
export const provableSemantics: Gate = ({ provable }) => {
  if (provable === undefined) {
    return { open: false, because: 'extensions/x-openwop-provable-semantics is not advertised' };
  }
  const supported = member(provable.value, 'supported');
  return { open: supported === true, because: `${provable.pointer}/supported is ${shown(supported)}` };
};

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

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value).slice(0, 80);
}
