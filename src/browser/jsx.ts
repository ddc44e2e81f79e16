// Preact, which renders every page on the server: no part of it reaches a browser.
export type { ComponentChildren, VNode } from 'preact'
export { createContext } from 'preact'
export { useContext } from 'preact/hooks'
export { renderToString } from 'preact-render-to-string'
