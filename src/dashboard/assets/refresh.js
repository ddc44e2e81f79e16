// Asks for the page again while something on it is under way, and puts its content in place.
const FAILURES_MAX = 5

/** Whether somebody types, or has typed or chosen something that would be lost. */
function isInUse() {
  if (document.activeElement?.closest('form') !== null) return true
  const inputs = [...document.querySelectorAll('#content input:not([type=hidden])')]
  return inputs.some((input) => input.value !== input.defaultValue)
}

async function refresh(failures) {
  const seconds = Number(document.body.dataset.refresh)
  if (!(seconds > 0) || failures >= FAILURES_MAX) return
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  try {
    const reply = await fetch(location.href, { headers: { Accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
    const fresh = page.querySelector('#content')
    // Whoever has to sign in again.
    if (fresh === null) return location.reload()
    if (!isInUse()) {
      document.querySelector('#content').replaceChildren(...fresh.childNodes)
      document.body.dataset.refresh = page.body.dataset.refresh ?? ''
      document.dispatchEvent(new Event('kontor-refreshed'))
    }
    refresh(0)
  } catch (error) {
    console.warn(error)
    refresh(failures + 1)
  }
}

refresh(0)
