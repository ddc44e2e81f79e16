/**
 * Goes on with a value: at once, or when its promise is fulfilled. For the path of requests, where
 * a promise that is fulfilled already would still cost a turn, and keep the reply from being sent
 * in the callback that the request came in.
 */
export function whenKnown<T, R>(
  value: T | Promise<T>,
  use: (value: T) => R | Promise<R>,
): R | Promise<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}
