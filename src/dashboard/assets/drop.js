// Files may be dropped anywhere on the form, and are sent at once. Forms come and go with refreshes,
// so the document listens.
function formAt(event) {
  const form = event.target instanceof Element ? event.target.closest('form.drop') : null
  for (const other of document.querySelectorAll('form.drop.is-over')) {
    if (other !== form) other.classList.remove('is-over')
  }
  return form
}

document.addEventListener('dragover', (event) => {
  const form = formAt(event)
  if (form === null) return
  event.preventDefault()
  form.classList.add('is-over')
})

document.addEventListener('drop', (event) => {
  const form = formAt(event)
  if (form === null || event.dataTransfer.files.length === 0) return
  event.preventDefault()
  form.classList.remove('is-over')
  form.querySelector('input[type=file]').files = event.dataTransfer.files
  form.requestSubmit(form.querySelector('button[name=action]'))
})
