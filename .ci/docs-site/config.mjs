import { existsSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { withMermaid } from 'vitepress-plugin-mermaid'

/** As GitHub makes them, so that a link works in both places. */
const slugify = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replace(/ /g, '-')

/** The index of all pages is the sidebar: a heading each for a group, a link each for a page. */
const sidebar = []
for (const line of readFileSync('docs/index.md', 'utf8').split('\n')) {
  if (line.startsWith('## ')) sidebar.push({ text: line.slice(3), collapsed: false, items: [] })
  const cell = line.startsWith('| [') ? line.split('|')[1] : ''
  for (const [, text, link] of cell.matchAll(/\[([^\]]+)]\(([^)]+)\.md\)/g)) {
    sidebar.at(-1).items.push({ text, link: new URL(link, 'http://site/docs/').pathname })
  }
}

export default withMermaid(defineConfig({
  title: 'Surewrite',
  description: 'Sure writes to Apache Cassandra for Spring Boot',
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  // Folders, and the shop on the reader's own machine; DocumentationTests looks into links to files.
  ignoreDeadLinks: [/^https?:\/\/localhost/, /\/(protocols|adr|embedded)(\/index)?$/, /\/sample-alledeals\//, /\/LICENSE$/],
  markdown: { anchor: { slugify }, toc: { slugify } },
  mermaid: {},
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar,
    nav: [
      { text: 'Getting started', link: '/docs/getting-started' },
      { text: 'All pages', link: '/docs/' },
      ...(existsSync('public/javadoc') ? [{ text: 'Javadoc', link: '/javadoc/core/index.html', target: '_blank' }] : [])
    ]
  }
}))
