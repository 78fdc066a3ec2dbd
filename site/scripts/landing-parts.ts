import './compare.ts'
import './own-system.ts'
import '../../src/islands/showcase/feature-panel.ts'
