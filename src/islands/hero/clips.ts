export interface Clip {
  /** The files of the film are /clips/{id}.{webm,mp4,vtt}, and {id}-dark.{webm,mp4} in the dark theme. */
  readonly id: string
  readonly title: string
  readonly description: string
  readonly alt: string
}

/**
 * The films in their order; tools/clips makes their files. They are not in site/content, because as props they would be in
 * the page twice.
 */
export const CLIPS: readonly Clip[] = [
  {
    id: 'ai-interview-assistant',
    title: 'AI Interview Assistant',
    description: 'A coding question, solved line by line.',
    alt: 'A code editor with the solution in an overlay.',
  },
  {
    id: 'design-diagrams',
    title: 'Design Diagrams generated inline',
    description: 'Asked for a design, it draws the diagram.',
    alt: 'A whiteboard with a diagram in an overlay.',
  },
  {
    id: 'product-management-interview',
    title: 'Product Management Interview',
    description: 'An open product question, put in order.',
    alt: 'A document with a structured answer in an overlay.',
  },
  {
    id: 'professional-communication',
    title: 'Professional Communication',
    description: 'A tense email, answered in calm words.',
    alt: 'An email with calmer wording in an overlay.',
  },
  {
    id: 'system-design',
    title: 'System Design & Architecture',
    description: 'A system grows box by box, with reasons.',
    alt: 'A system design with a part explained in an overlay.',
  },
  {
    id: 'management-questions',
    title: 'Management Questions',
    description: 'A follow-up, answered with earlier context.',
    alt: 'A video call with the answer in an overlay.',
  },
]
