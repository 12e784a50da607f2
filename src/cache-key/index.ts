export { catalogue, type CatalogueEntry } from './catalogue.ts';
export { canonicalJson, computeKey, type KeyResult } from './compute.ts';
export { type AnswersDiagnosis, diagnoseAnswers, type KeyAnswer, type KeyOf } from './diagnose-answers.ts';
export { diagnoseKey, type KeyExplanation } from './diagnose-key.ts';
export type { Explanation } from './explanation.ts';
export { type JsonText, parseJsonText } from './json-text.ts';
export { observedRecipe, type ObservedRecipe } from './observed-recipe.ts';
export type { Recipe } from './recipe.ts';
export { type NamedRequest, readRequestFile, type RequestFile } from './request-file.ts';
