// Reloads the content of a page in place while work shown on it is in progress.
const FAILURES_MAX = 5

/** Whether the focus is in a form, or a field holds input that a reload would lose. */
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
    // The session has ended: load the sign-in page.
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
