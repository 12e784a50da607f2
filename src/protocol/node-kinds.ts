/** Error codes with which hosts fail a run that reaches a node whose kind they lack, whatever joins their words. */
const LACKING =
  /^(?:un(?:supported|known|registered)|missing|no)_node(?:_(?:type|kind|module))?$|^node_(?:type|kind|module)_(?:not_found|un(?:supported|known|registered)|missing)$|^invalid_node_config$/u;

/** Whether an error code says that the host lacks a node's kind: what the workflow is there for was not executed (readings). */
export function lacksNodeKind(code: string): boolean {
  return LACKING.test(
    code
      .replaceAll(/[-.\s]/gu, '_')
      .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, '_')
      .toLowerCase(),
  );
}
