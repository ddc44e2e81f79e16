// Suggestions below a search field while one types: a combobox with a list, as the ARIA Authoring
// Practices Guide describes it. Without the script the field is a plain one.
const PAUSE_MS = 150
const KINDS = { counterpart: 'Counterpart', category: 'Category', word: 'Word' }

for (const input of document.querySelectorAll('input[data-suggest]')) begin(input)

function begin(input) {
  const list = document.createElement('ul')
  list.id = `${input.id}-suggestions`
  list.className = 'suggestions'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Suggestions')
  list.hidden = true
  const status = document.createElement('span')
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  const box = document.createElement('div')
  box.className = 'combobox'
  input.replaceWith(box)
  box.append(input, list, status)
  // A search field may not have the role of a combobox.
  input.type = 'text'
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', list.id)
  input.setAttribute('aria-expanded', 'false')
  const state = { input, list, status, timer: 0, request: undefined }
  input.addEventListener('input', () => askSoon(state))
  input.addEventListener('keydown', (event) => onKey(state, event))
  input.addEventListener('blur', () => close(state))
  // The field keeps the focus, so that a click is not a blur before.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    const option = event.target.closest('[role=option]')
    if (option !== null) choose(state, option)
  })
}

function askSoon(state) {
  clearTimeout(state.timer)
  state.request?.abort()
  if (!/\p{L}/u.test(state.input.value)) return close(state)
  state.timer = setTimeout(() => ask(state), PAUSE_MS)
}

async function ask(state) {
  const request = new AbortController()
  state.request = request
  const text = encodeURIComponent(state.input.value.trim())
  try {
    const reply = await fetch(`${state.input.dataset.suggest}?query=${text}`, {
      headers: { Accept: 'application/json' },
      signal: request.signal,
    })
    const isJson = reply.headers.get('Content-Type') === 'application/json'
    // Anything else is the sign-in page, or a refusal of the text: there is nothing to suggest.
    const suggested = reply.ok && isJson ? await reply.json() : []
    // A search does not find the name of an account.
    const searched = suggested.filter(({ kind }) => kind !== 'account')
    if (document.activeElement === state.input) show(state, searched)
  } catch (error) {
    if (error.name !== 'AbortError') console.warn(error)
  }
}

function show(state, suggested) {
  const { input, list, status } = state
  list.replaceChildren(...suggested.map((one, i) => optionOf(one, `${list.id}-${i}`)))
  list.hidden = suggested.length === 0
  input.setAttribute('aria-expanded', String(!list.hidden))
  input.removeAttribute('aria-activedescendant')
  status.textContent =
    suggested.length === 1 ? '1 suggestion' : `${suggested.length || 'No'} suggestions`
}

function optionOf({ text, kind, count }, id) {
  const option = document.createElement('li')
  option.id = id
  option.dataset.text = text
  option.setAttribute('role', 'option')
  option.setAttribute('aria-selected', 'false')
  const shown = document.createElement('bdi')
  shown.textContent = text
  const note = document.createElement('span')
  note.className = 'suggestion-note soft'
  note.textContent = `${KINDS[kind]}, ${count.toLocaleString('en')}`
  option.append(shown, ' ', note)
  return option
}

function onKey(state, event) {
  const { list, input } = state
  if (event.key === 'Escape' && !list.hidden) {
    event.preventDefault()
    close(state)
    return
  }
  const option = activeOption(state)
  if (event.key === 'Enter' && option !== null) {
    event.preventDefault()
    choose(state, option)
    return
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || event.altKey) return
  event.preventDefault()
  if (list.hidden) {
    if (input.value !== '') ask(state)
    return
  }
  const options = [...list.children]
  // One place more than options: the field itself, between the last one and the first.
  const place = options.indexOf(option) + 1
  activate(state, options[((place + step + options.length + 1) % (options.length + 1)) - 1])
}

function activeOption({ list }) {
  return list.hidden ? null : list.querySelector('[aria-selected=true]')
}

function activate(state, option) {
  activeOption(state)?.setAttribute('aria-selected', 'false')
  if (option === undefined) return state.input.removeAttribute('aria-activedescendant')
  option.setAttribute('aria-selected', 'true')
  state.input.setAttribute('aria-activedescendant', option.id)
  option.scrollIntoView({ block: 'nearest' })
}

function choose(state, option) {
  state.input.value = option.dataset.text
  close(state)
  state.input.form.requestSubmit()
}

function close(state) {
  clearTimeout(state.timer)
  state.request?.abort()
  state.list.hidden = true
  state.input.setAttribute('aria-expanded', 'false')
  state.input.removeAttribute('aria-activedescendant')
}
