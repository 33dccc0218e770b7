/** Makes a value at the first call, and returns the same one afterwards. */
export function lazyValue<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
