// Shows the buttons that copy a text, when a script can do it.
function reveal() {
  for (const button of document.querySelectorAll('button[data-copy]')) button.hidden = false
}

reveal()
document.addEventListener('kontor-refreshed', reveal)

document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-copy]') : null
  if (button === null) return
  const word = button.querySelector('[aria-live]')
  try {
    await copy(button.dataset.copy)
    word.textContent = 'Copied'
  } catch (error) {
    word.textContent = 'Mark the text and copy it'
    console.warn(error)
  }
  setTimeout(() => {
    word.textContent = 'Copy'
  }, 2000)
})

/** Browsers have no clipboard over plain http, except for a loopback address. */
function copy(text) {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied ? Promise.resolve() : Promise.reject(new Error('the browser refuses to copy'))
}
