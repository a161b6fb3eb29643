/** What was read of what a person typed. Without `value`, `warning` says why; with both, what was left out. */
export interface Reading<T> {
  value?: T;
  warning?: string;
}
