// Draws the OpenAPI document. Requests that are tried out go to the host of this page.
const place = document.querySelector('#reference')

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

const reply = await fetch(place.dataset.document)
const spec = await reply.json()
if (place.dataset.base === '') delete spec.servers
else spec.servers = [{ url: location.origin + place.dataset.base }]
// Its URLs are templates, one issuer for each integration: they cannot be used to sign in here.
delete spec.components.securitySchemes.oauthAuthorizationCode
for (const operation of Object.values(spec.paths).flatMap((path) => Object.values(path))) {
  operation.security = operation.security?.filter((way) => !('oauthAuthorizationCode' in way))
}
// Swagger UI draws names and paths as links within the buttons that open them, which a keyboard
// and a screen reader cannot tell apart, and has no landmarks around the parts above the main one.
const within = (label) => (Original, system) => (props) =>
  system.React.createElement(
    'section',
    { 'aria-label': label },
    system.React.createElement(Original, props),
  )
const forEverybody = {
  wrapComponents: {
    DeepLink: (_, system) => (props) => system.React.createElement('span', null, props.text),
    InfoContainer: within('About the API'),
    SchemesContainer: within('Server and credential'),
  },
}

window.SwaggerUIBundle({
  plugins: [() => forEverybody],
  spec,
  domNode: place,
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: ['get'],
})
