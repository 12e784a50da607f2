export { catalogue } from './catalogue.ts';
export { canonicalJson, computeKey } from './compute.ts';
export { type AnswersDiagnosis, diagnoseAnswers, type KeyAnswer } from './diagnose-answers.ts';
export { diagnoseKey } from './diagnose-key.ts';
export type { Explanation } from './explanation.ts';
export { parseJsonText } from './json-text.ts';
export { observedRecipe } from './observed-recipe.ts';
export { type NamedRequest, readRequestFile } from './request-file.ts';
export type { JsonNode, Member } from './json-node.ts';
