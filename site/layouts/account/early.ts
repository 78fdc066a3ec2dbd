/**
 * Runs in the head of every account page, before the first paint: nobody sees a page that is not theirs, and
 * the question who is signed in is on its way before any module is. It reads its page's guard from its own tag.
 * What is typed before an island lives is kept for it: hydration puts the empty value back.
 * A button that is pressed before its island lives is pressed again then (src/ui/ErrorBoundary.tsx).
 * A form that is sent before its island lives is held back and sent by the island (src/islands/form/use-form.ts).
 */
export const EARLY_SCRIPT = `(s=>{let d=document.documentElement,g=d.dataset.guard=s.dataset.guard,t;try{t=localStorage.getItem('token')}catch{}
if(t){d.dataset.session='loading';(window.earlyMe=fetch('/api/auth/me',{headers:{accept:'application/json',authorization:'Bearer '+t}})).catch(()=>{})}
else{d.dataset.session='guest';if(g=='signed-in')location.replace('/login?next='+encodeURIComponent(location.pathname+location.search))}addEventListener('click',e=>{let b=e.target.closest?.('astro-island[ssr] :is(button:not([type=submit]),input[type=radio])');if(b)window.clickedEarly=b},true);let w=window.typedEarly=new WeakMap();addEventListener('input',e=>w.set(e.target,e.target.value),true);addEventListener('submit',e=>{let f=e.target;if(f.dataset.live==null){e.preventDefault();f.dataset.wanted=''}},true)})(document.currentScript)`
