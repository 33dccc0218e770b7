/**
 * Stems with their vowels as dictionaries write them: "é" is that of "enak", "e" that of "dengan". Listed are those whose vowels
 * differ from what `vowels.ts` would take them for.
 */
export const STEMS_WITH_E: readonly string[] = `
  amérika béasiswa bébas béda béla bénsin cék débat déwa déwan déwasa déwi désa désémber éja émbér énak énérgi fébruari geréja générasi
  héktar hélikopter hélm hémat hébat héran héwan indonésia jendéla kécap kéju kémah karena keméja keréta ketéla krédit légénda léci léhér
  lémpar lénsa léwat lébar médan média méja méksiko mémang méntal mentéga mérah meréka méski méskipun métal méter métode méwah
  negeri négatif novémber péka péna pendéta pénsil péntas pérak permén persén pésta pétak préstasi présidén réformasi rékan
  réla réstoran républik resép séhat sédan sejahtera sékretaris séksi seléksi seléra semésta sénsus sénter sepéda sépak séptémber
  séri sérius sértifikat sétan setél séwa téh téknik téknis téknologi télépon télévisi téma témbak ténis tés téks vérsi`
  .trim()
  .split(/\s+/);
