/** Error codes with which hosts fail a run that reaches a node whose kind they lack, whatever joins their words. */
const LACKING =
  /^(?:un(?:supported|known|registered)|missing|no)_node(?:_(?:type|kind|module))?$|^node_(?:type|kind|module)_(?:not_found|un(?:supported|known|registered)|missing)$|^invalid_node_config$/u;

/** Whether an error code says that the host lacks a node's kind: what the workflow is there for was not executed (readings). */
export function lacksNodeKind(code: string): boolean {
  return LACKING.test(inWords(code));
}

/** Error codes of what a host lacks otherwise: a capability, a provider (wire-contract, POST /v1/runs). */
const MISSING =
  /^(?:capability|feature|provider)_(?:required|unsupported|missing|disabled|not_(?:supported|available|configured|enabled))$|^(?:unsupported|unavailable|missing)_(?:capability|feature|provider)$|^not_(?:implemented|supported)$/u;

/** Whether an error code says that the host lacks what it takes to execute a workflow, a node's kind or something else. */
export function lacksWhatItTakes(code: string): boolean {
  return lacksNodeKind(code) || MISSING.test(inWords(code));
}

/** A code with its words in lower case, joined by underscores. */
function inWords(code: string): string {
  return code
    .replaceAll(/[-.\s]/gu, '_')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, '_')
    .toLowerCase();
}
