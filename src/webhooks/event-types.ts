/** Whether all events of this type, or of this family such as `lead.*`, are among the types. */
export function includesType(types: readonly string[], type: string): boolean {
  return [type, `${type.split('.')[0]}.*`, '*'].some((name) => types.includes(name));
}

/** Whether some events are of both: the type or family, and the types. */
export function overlaps(types: readonly string[], type: string): boolean {
  return includesType(types, type) || types.some((one) => includesType([type], one));
}
