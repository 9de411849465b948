// Word list of the Electronic Frontier Foundation (eff.org/dice), CC BY 3.0 US, changed.
// Made by packaging/word_list.py. See WordList.

/// The words from macarena to zoom, each behind a space or a line break.
enum WordsFromM {
    static let text = """
        macarena macaroni macaw mace machine machinist magazine magenta maggot magical magician magma magnesium magnetic
        magnetism magnetize magnifier magnify magnitude magnolia mahogany maimed majestic majesty majorette majority
        makeover maker makeshift making malformed malt mama mammal mammary mammogram manager managing manatee mandarin
        mandate mandatory mandolin manger mangle mango mangy manhandle manhole manhood manhunt manicotti manicure
        manifesto manila mankind manlike manliness manly manmade manned mannish manor manpower mantis mantra manual many
        map marathon marauding marbled marbles marbling march mardi margarine margarita margin marigold marina marine
        marital maritime marlin marmalade maroon married marrow marry marshland marshy marsupial marvelous marxism
        mascot masculine mashed mashing massager masses massive mastiff matador matchbook matchbox matcher matching
        matchless material maternal maternity math mating matriarch matrimony matrix matron matted matter maturely
        maturing maturity mauve maverick maximize maximum maybe mayday mayflower moaner moaning mobile mobility mobilize
        mobster mocha mocker mockup modified modify modular modulator module moisten moistness moisture molar molasses
        mold molecular molecule molehill mollusk mom monastery monday monetary monetize moneybags moneyless moneywise
        mongoose mongrel monitor monkhood monogamy monogram monologue monopoly monorail monotone monotype monoxide
        monsieur monsoon monstrous monthly monument moocher moodiness moody mooing moonbeam mooned moonlight moonlike
        moonlit moonrise moonscape moonshine moonstone moonwalk mop morale morality morally morbidity morbidly morphine
        morphing morse mortality mortally mortician mortified mortify mortuary mosaic mossy most mothball mothproof
        motion motivate motivator motive motocross motor motto mountable mountain mounted mounting mourner mournful
        mouse mousiness moustache mousy mouth movable move movie moving mower mowing much muck mud mug mulberry mulch
        mule mulled mullets multiple multiply multitask multitude mumble mumbling mumbo mummified mummify mummy mumps
        munchkin mundane municipal muppet mural murkiness murky murmuring muscular museum mushily mushiness mushroom
        mushy music musket muskiness musky mustang mustard muster mustiness musty mutable mutate mutation mute mutilated
        mutilator mutiny mutt mutual muzzle myself myspace mystified mystify myth nacho nag nail name naming nanny
        nanometer nape napkin napped napping nappy narrow nastily nastiness national native nativity natural nature
        naturist nautical navigate navigator navy nearby nearest nearly nearness neatly neatness nebula nebulizer nectar
        negate negation negative neglector negligee negligent negotiate nemeses nemesis neon nephew nerd nervous nervy
        nest net neurology neuron neurosis neurotic neuter neutron never next nibble nickname nicotine niece nifty
        nimble nimbly nineteen ninetieth ninja nintendo ninth nuclear nuclei nucleus nugget nullify number numbing
        numbly numbness numeral numerate numerator numeric numerous nuptials nursery nursing nurture nutcase nutlike
        nutmeg nutrient nutshell nuttiness nutty nuzzle nylon oaf oak oasis oat obedience obedient obituary object
        obligate obliged oblivion oblivious oblong obnoxious oboe obscure obscurity observant observer observing
        obsessed obsession obsessive obsolete obstacle obstinate obstruct obtain obtrusive obtuse obvious occultist
        occupancy occupant occupier occupy ocean ocelot octagon octane october octopus ogle oil oink ointment okay old
        olive olympics omega omen ominous omission omit omnivore onboard oncoming ongoing onion online onlooker only
        onscreen onset onshore onslaught onstage onto onward onyx oops ooze oozy opacity opal open operable operate
        operating operation operative operator opium opossum opponent oppose opposing opposite oppressed oppressor opt
        opulently osmosis other otter ouch ought ounce outage outback outbid outboard outbound outbreak outburst outcast
        outclass outcome outdated outdoors outer outfield outfit outflank outgoing outgrow outhouse outing outlast
        outlet outline outlook outlying outmatch outmost outnumber outplayed outpost outpour output outrage outrank
        outreach outright outscore outsell outshine outshoot outsider outskirts outsmart outsource outspoken outtakes
        outthink outward outweigh outwit oval ovary oven overact overall overarch overbid overbill overbite overblown
        overboard overbook overbuilt overcast overcoat overcome overcook overcrowd overdraft overdrawn overdress
        overdrive overdue overeager overeater overexert overfed overfeed overfill overflow overfull overgrown overhand
        overhang overhaul overhead overhear overheat overhung overjoyed overkill overlabor overlaid overlap overlay
        overload overlook overlord overlying overnight overpass overpay overplant overplay overpower overprice overrate
        overreach overreact override overripe overrule overrun overshoot overshot oversight oversized oversleep oversold
        overspend overstate overstay overstep overstock overstuff oversweet overtake overthrow overtime overtly overtone
        overture overturn overuse overvalue overview overwrite owl oxford oxidant oxidation oxidize oxidizing oxygen
        oxymoron oyster ozone paced pacemaker pacific pacifier pacifism pacifist pacify padded padding paddle paddling
        padlock pagan pager paging pajamas palace palatable palm palpable palpitate paltry pampered pamperer pampers
        pamphlet panama pancake pancreas panda pandemic pang panhandle panic panning panorama panoramic panther
        pantomime pantry pants pantyhose paparazzi papaya paper paprika papyrus parabola parachute parade paradox
        paragraph parakeet paralegal paralyses paralysis paralyze paramedic parameter paramount parasail parasite
        parasitic parcel parched parchment pardon parish parka parking parkway parlor parmesan parole parrot parsley
        parsnip partake parted parting partition partly partner partridge party passable passably passage passcode
        passenger passerby passing passion passive passivism passover passport password pasta pasted pastel pastime
        pastor pastrami pasture pasty patchwork patchy paternal paternity path patience patient patio patriarch patriot
        patrol patronage patronize pauper pavement paver pavestone pavilion paving pawing payable payback paycheck
        payday payee payer paying payment payphone payroll pebble pebbly pecan pectin peculiar peddling pediatric
        pedicure pedigree pedometer pegboard pelican pellet pelt pelvis penalize penalty pencil pendant pending
        penholder penknife pennant penniless penny penpal pension pentagon pentagram pep perceive percent perch
        percolate perennial perfected perfectly perfume periscope perish perjurer perjury perkiness perky perm peroxide
        perpetual perplexed persecute persevere persuaded persuader pesky peso pessimism pessimist pester pesticide
        petal petite petition petri petroleum petted petticoat pettiness petty petunia phantom phobia phoenix phonebook
        phoney phonics phoniness phony phosphate photo phrase phrasing placard placate placidly plank planner plant
        plasma plaster plastic plated platform plating platinum platonic platter platypus plausible plausibly playable
        playback player playful playgroup playhouse playing playlist playmaker playmate playoff playpen playroom playset
        plaything playtime plaza pleading pleat pledge plentiful plenty plethora plexiglas pliable plod plop plot plow
        ploy pluck plug plunder plunging plural plus plutonium plywood poach pod poem poet pogo pointed pointer pointing
        pointless pointy poise poison poker poking polar police policy polio polish politely polka polo polyester
        polygon polygraph polymer poncho pond pony popcorn pope poplar popper poppy popsicle populace popular populate
        porcupine pork porous porridge portable portal portfolio porthole portion portly portside poser posh posing
        possible possibly possum postage postal postbox postcard posted poster posting postnasal posture postwar pouch
        pounce pouncing pound pouring pout powdered powdering powdery power powwow pox praising prance prancing pranker
        prankish prankster prayer praying preacher preaching preachy preamble precinct precise precision precook precut
        predator predefine predict preface prefix preflight preformed pregame pregnancy pregnant preheated prelaunch
        prelaw prelude premiere premises premium prenatal preoccupy preorder prepaid prepay preplan preppy preschool
        prescribe preseason preset preshow president presoak press presume presuming preteen pretended pretender
        pretense pretext pretty pretzel prevail prevalent prevent preview previous prewar prewashed prideful pried
        primal primarily primary primate primer primp princess print prior prism prison prissy pristine privacy private
        privatize prize proactive probable probably probation probe probing probiotic problem procedure process proclaim
        procreate procurer prodigal prodigy produce product profane profanity professed professor profile profound
        profusely progeny prognosis program progress projector prologue prolonged promenade prominent promoter promotion
        prompter promptly prone prong pronounce pronto proofing proofread proofs propeller properly property proponent
        proposal propose props prorate protector protegee proton prototype protozoan protract protrude proud provable
        proved proven provided provider providing province proving provoke provoking provolone prowess prowler prowling
        proximity proxy prozac prude prudishly prune pruning pry psychic public publisher pucker pueblo pug pull
        pulmonary pulp pulsate pulse pulverize puma pumice pummel punch punctual punctuate punctured pungent punisher
        punk pupil puppet puppy purchase pureblood purebred purely pureness purgatory purge purging purifier purify
        purist puritan purity purple purplish purposely purr purse pursuable pursuant pursuit purveyor pushcart
        pushchair pusher pushiness pushing pushover pushpin pushup pushy putdown putt puzzle puzzling pyramid pyromania
        python quack quadrant quail quaintly quake quaking qualified qualifier qualify quality qualm quantum quarrel
        quarry quartered quarterly quarters quartet quench query quicken quickly quickness quicksand quickstep quiet
        quill quilt quintet quintuple quirk quit quiver quizzical quotable quotation quote rabid race racing racism rack
        racoon radar radial radiance radiantly radiated radiation radiator radio radish raffle raft rage ragged raging
        ragweed raider railcar railing railroad railway raisin rake raking rally ramble rambling ramp ramrod ranch
        rancidity random ranged ranger ranging ranked ranking ransack ranting rants rare rarity rascal rash rasping
        ravage raven ravine raving ravioli ravishing reabsorb reach reacquire reaction reactive reactor reaffirm ream
        reanalyze reappear reapply reappoint reapprove rearrange rearview reason reassign reassure reattach reawake
        rebalance rebate rebel rebirth reboot reborn rebound rebuff rebuild rebuilt reburial rebuttal recall recant
        recapture recast recede recent recess recharger recipient recital recite reckless reclaim recliner reclining
        recluse reclusive recognize recoil recollect recolor reconcile reconfirm reconvene recopy record recount recoup
        recovery recreate rectal rectangle rectified rectify recycled recycler recycling reemerge reenact reenter
        reentry reexamine referable referee reference refill refinance refined refinery refining refinish reflected
        reflector reflex reflux refocus refold reforest reformat reformed reformer reformist refract refrain refreeze
        refresh refried refueling refund refurbish refurnish refusal refuse refusing refutable refute regain regalia
        regally reggae regime region register registrar registry regress regretful regroup regular regulate regulator
        rehab reheat rehire rehydrate reimburse reissue reiterate rejoice rejoicing rejoin rekindle relapse relapsing
        relatable related relation relative relax relay relearn release relenting reliable reliably reliance reliant
        relic relieve relieving relight relish relive reload relocate relock reluctant rely remake remark remarry
        rematch remedial remedy remember reminder remindful remission remix remnant remodeler remold remorse remote
        removable removal removed remover removing rename renderer rendering rendition renegade renewable renewably
        renewal renewed renounce renovate renovator rentable rental rented renter reoccupy reoccur reopen reorder
        repackage repacking repaint repair repave repaying repayment repeal repeated repeater repent rephrase replace
        replay replica reply reporter repose repossess repost repressed reprimand reprint reprise reproach reprocess
        reproduce reprogram reps reptile reptilian repugnant repulsion repulsive repurpose reputable reputably request
        require requisite reroute rerun resale resample rescuer reseal research reselect reseller resemble resend resent
        reset reshape reshoot reshuffle residence residency resident residual residue resigned resilient resistant
        resisting resize resolute resolved resonant resonate resort resource respect resubmit result resume resupply
        resurface resurrect retail retainer retaining retake retaliate retention rethink retinal retired retiree
        retiring retold retool retorted retouch retrace retract retrain retread retreat retrial retrieval retriever
        retry return retying retype reunion reunite reusable reuse reveal reveler revenge revenue reverb revered
        reverence reverend reversal reverse reversing reversion revert revisable revise revision revisit revivable
        revival reviver reviving revocable revoke revolt revolver revolving reward rewash rewind rewire reword rework
        rewrap rewrite rhyme ribbon ribcage rice riches richly richness rickety ricotta riddance ridden ride riding
        rifling rift rigging rigid rigor rimless rimmed rind rink rinse rinsing riot ripcord ripeness ripening ripping
        ripple rippling riptide rise rising risk risotto ritalin ritzy rival riverbank riverbed riverboat riverside
        riveter riveting roamer roaming roast robbing robe robin robotics robust rockband rocker rocket rockfish
        rockiness rocking rocklike rockslide rockstar rocky rogue roman romp rope roping roster rosy rotten rotting
        rotunda roulette rounding roundish roundness roundup roundworm routine routing rover roving royal rubbed rubber
        rubbing rubble rubdown ruby ruckus rudder rug ruined rule rumble rumbling rummage rumor runaround rundown runner
        running runny runt runway rupture rural ruse rush rust rut sabbath sabotage sacrament sacred sacrifice sadden
        saddlebag saddled saddling sadly sadness safari safeguard safehouse safely safeness saffron saga sage sagging
        saggy said saint sake salad salami salaried salary saline salon saloon salsa salt salutary salute salvage
        salvaging salvation same sample sampling sanction sanctity sanctuary sandal sandbag sandbank sandbar sandblast
        sandbox sanded sandfish sanding sandlot sandpaper sandpit sandstone sandstorm sandworm sandy sanitary sanitizer
        sank santa sapling sappiness sappy sarcasm sarcastic sardine sash sasquatch sassy satchel satiable satin
        satirical satisfied satisfy saturate saturday sauciness saucy sauna savage savanna saved savings savior savor
        saxophone say scabbed scabby scalded scalding scale scaling scallion scallop scalping scam scandal scanner
        scanning scant scapegoat scarce scarcity scarecrow scared scarf scarily scariness scarring scary scavenger
        scenic schedule schematic scheme scheming schilling schnapps scholar science scientist scion scoff scolding
        scone scoop scooter scope scorch scorebook scorecard scored scoreless scorer scoring scorn scorpion scotch
        scoundrel scoured scouring scouting scouts scowling scrabble scraggly scrambled scrambler scrap scratch scrawny
        screen scribble scribe scribing scrimmage script scroll scrooge scrounger scrubbed scrubber scruffy scrunch
        scrutiny scuba scuff sculptor sculpture scurvy scuttle secluded secluding seclusion second secrecy secret
        sectional sector secular securely security sedan sedate sedation sedative sediment seduce seducing segment
        seismic seizing seldom selected selection selective selector self seltzer semantic semester semicolon semifinal
        seminar semisoft semisweet senate senator send senior senorita sensation sensitive sensitize sensually sensuous
        sepia september septic septum sequel sequence sequester series sermon serotonin serpent serrated serve service
        serving sesame sessions setback setting settle settling setup sevenfold seventeen seventh seventy severity
        shabby shack shaded shadily shadiness shading shadow shady shaft shakable shakily shakiness shaking shaky shale
        shallot shallow shame shampoo shamrock shank shanty shape shaping share sharpener sharper sharpie sharply
        sharpness shawl sheath shed sheep sheet shelf shell shelter shelve shelving sherry shield shifter shifting
        shiftless shifty shimmer shimmy shindig shine shingle shininess shining shiny ship shirt shivering shock shone
        shoplift shopper shopping shoptalk shore shortage shortcake shortcut shorten shorter shorthand shortlist shortly
        shortness shorts shortwave shorty shout shove showbiz showcase showdown shower showgirl showing showman shown
        showoff showpiece showplace showroom showy shrank shrapnel shredder shredding shrewdly shriek shrill shrimp
        shrine shrink shrivel shrouded shrubbery shrubs shrug shrunk shucking shudder shuffle shuffling shun shush shut
        shy siamese siberian sibling siding sierra siesta sift sighing silenced silencer silent silica silicon silk
        silliness silly silo silt silver similarly simile simmering simple simplify simply sincere sincerity singer
        singing single singular sinister sinless sinner sinuous sip siren sister sitcom sitter sitting situated
        situation sixfold sixteen sixth sixties sixtieth sixtyfold sizable sizably size sizing sizzle sizzling skater
        skating skedaddle skeletal skeleton skeptic sketch skewed skewer skid skied skier skies skiing skilled skillet
        skillful skimmed skimmer skimming skimpily skincare skinhead skinless skinning skinny skintight skipper skipping
        skirmish skirt skittle skydiver skylight skyline skype skyrocket skyward slab slacked slacker slacking slackness
        slacks slain slam slander slang slapping slapstick slashed slashing slate slather slaw sled sleek sleep sleet
        sleeve slept sliceable sliced slicer slicing slick slider slideshow sliding slighted slighting slightly slimness
        slimy slinging slingshot slinky slip slit sliver slobbery slogan sloped sloping sloppily sloppy slot slouching
        slouchy sludge slug slum slurp slush sly small smartly smartness smasher smashing smashup smell smelting smile
        smilingly smirk smite smith smitten smock smog smoked smokeless smokiness smoking smoky smolder smooth smother
        smudge smudgy smuggler smuggling smugly smugness snack snagged snaking snap snare snarl snazzy sneak sneer
        sneeze sneezing snide sniff snippet snipping snitch snooper snooze snore snoring snorkel snort snout snowbird
        snowboard snowbound snowcap snowdrift snowdrop snowfall snowfield snowflake snowiness snowless snowman snowplow
        snowshoe snowstorm snowsuit snowy snub snuff snuggle snugly snugness speak spearfish spearhead spearman
        spearmint species specimen specked speckled specks spectacle spectator spectrum speculate speech speed spellbind
        speller spelling spendable spender spending spent spew sphere spherical sphinx spider spied spiffy spill spilt
        spinach spinal spindle spinner spinning spinout spinster spiny spiral spirited spiritism spirits spiritual
        splashed splashing splashy splatter spleen splendid splendor splice splicing splinter splotchy splurge spoilage
        spoiled spoiler spoiling spoils spoken spokesman sponge spongy sponsor spoof spookily spooky spool spoon spore
        sporting sports sporty spotless spotlight spotted spotter spotting spotty spousal spouse spout sprain sprang
        sprawl spray spree sprig spring sprinkled sprinkler sprint sprite sprout spruce sprung spry spud spur sputter
        spyglass squabble squad squall squander squash squatted squatter squatting squeak squealer squealing squeamish
        squeegee squeeze squeezing squid squiggle squiggly squint squire squirt squishier squishy stability stabilize
        stable stack stadium staff stage staging stagnant stagnate stainable stained staining stainless stalemate
        staleness stalling stallion stamina stammer stamp stand stank staple stapling starboard starch stardom stardust
        starfish stargazer staring stark starless starlet starlight starlit starring starry starship starter starting
        startle startling startup starved starving stash state static statistic statue stature status statute statutory
        staunch stays steadfast steadier steadily steadying steam steed steep steerable steering steersman stegosaur
        stellar stem stench stencil step stereo sterile sterility sterilize sterling sternness sternum stew stick
        stiffen stiffly stiffness stifle stifling stillness stilt stimulant stimulate stimuli stimulus stinger stingily
        stinging stingray stingy stinking stinky stipend stipulate stir stitch stock stoic stoke stole stomp stonewall
        stoneware stonework stoning stony stood stooge stool stoop stoplight stoppable stoppage stopped stopper stopping
        stopwatch storable storage storeroom storewide storm stout stove stowaway stowing straddle straggler strained
        strainer straining strangely stranger strangle strategic strategy stratus straw stray streak stream street
        strength strenuous strep stress stretch strewn stricken strict stride strife strike striking strive striving
        strobe strode stroller strongbox strongly strongman struck structure strudel struggle strum strung strut stubbed
        stubble stubbly stubborn stucco stuck student studied studio study stuffed stuffing stuffy stumble stumbling
        stump stung stunned stunner stunning stunt stupor sturdily sturdy styling stylishly stylist stylized stylus
        suave subarctic subatomic subdivide subdued subduing subfloor subgroup subheader subject sublease sublet
        sublevel sublime submarine submerge submersed submitter subpanel subpar subplot subprime subscribe subscript
        subsector subside subsiding subsidize subsidy subsoil subsonic substance subsystem subtext subtitle subtly
        subtotal subtract subtype suburb subway subwoofer subzero succulent such suction sudden sudoku suds sufferer
        suffering suffice suffix suffocate suffrage sugar suggest suing suitable suitably suitcase suitor sulfate
        sulfide sulfite sulfur sulk sullen sulphate sulphuric sultry superbowl superglue superhero superior superjet
        superman supermom supernova supervise supper supplier supply support supremacy supreme surcharge surely sureness
        surface surfacing surfboard surfer surgery surgical surging surname surpass surplus surprise surreal surrender
        surrogate surround survey survival survive surviving survivor sushi suspect suspend suspense sustained sustainer
        swab swaddling swagger swampland swan swapping swarm sway swear sweat sweep swell swept swerve swifter swiftly
        swiftness swimmable swimmer swimming swimsuit swimwear swinger swinging swipe swirl switch swivel swizzle
        swooned swoop swoosh swore sworn swung sycamore sympathy symphonic symphony symptom synapse syndrome synergy
        synopses synopsis synthesis synthetic syrup system tabasco tabby tableful tables tablet tableware tabloid
        tackiness tacking tackle tackling tacky taco tactful tactical tactics tactile tactless tadpole taekwondo tag
        tainted take taking talcum talisman tall talon tamale tameness tamer tamper tank tanned tannery tanning tantrum
        tapeless tapered tapering tapestry tapioca tapping taps tarantula target tarmac tarnish tarot tartar tartly
        tartness task tassel taste tastiness tasting tasty tattered tattle tattling tattoo taunt tavern thank that thaw
        theater theatrics thee theft theme theology theorize thermal thermos thesaurus these thesis thespian thicken
        thicket thickness thieving thievish thigh thimble thing think thinly thinner thinness thinning thirstily
        thirsting thirsty thirteen thirty thong thorn those thousand thrash thread threaten threefold thrift thrill
        thrive thriving throat throbbing throng throttle throwaway throwback thrower throwing thud thumb thumping
        thursday thus thwarting thyself tiara tibia tidal tidbit tidiness tidings tidy tiger tighten tightly tightness
        tightrope tightwad tigress tile tiling till tilt timid timing timothy tinderbox tinfoil tingle tingling tingly
        tinker tinkling tinsel tinsmith tint tinwork tiny tipoff tipped tipper tipping tiptoeing tiptop tiring tissue
        trace tracing track traction tractor trade trading tradition traffic tragedy trailing trailside train traitor
        trance tranquil transfer transform translate transpire transport transpose trapdoor trapeze trapezoid trapped
        trapper trapping traps trash travel traverse travesty tray treachery treading treadmill treason treat treble
        tree trekker tremble trembling tremor trench trend trespass triage trial triangle tribesman tribunal tribune
        tributary tribute triceps trickery trickily tricking trickle trickster tricky tricolor tricycle trident tried
        trifle trifocals trillion trilogy trimester trimmer trimming trimness trinity trio tripod tripping triumph
        trivial trodden trolling trombone trophy tropical tropics trouble troubling trough trousers trout trowel truce
        truck truffle trump trunks trustable trustee trustful trusting trustless truth try tshirt tubby tubeless tubular
        tucking tuesday tug tuition tulip tumble tumbling tummy turban turbine turbofan turbojet turbulent turf turkey
        turmoil turret turtle tusk tutor tutu tux tweak tweed tweet tweezers twelve twentieth twenty twerp twice twiddle
        twiddling twig twilight twine twins twirl twistable twisted twister twisting twisty twitch twitter tycoon tying
        tyke udder ultimate ultimatum ultra umbilical umbrella umpire unabashed unable unadorned unadvised unafraid
        unaired unaligned unaltered unarmored unashamed unaudited unawake unaware unbaked unbalance unbeaten unbend
        unbent unbiased unbitten unblended unblessed unblock unbolted unbounded unboxed unbraided unbridle unbroken
        unbuckled unbundle unburned unbutton uncanny uncapped uncaring uncertain unchain unchanged uncharted uncheck
        uncivil unclad unclaimed unclamped unclasp uncle unclip uncloak unclog unclothed uncoated uncoiled uncolored
        uncombed uncommon uncooked uncork uncorrupt uncounted uncouple uncouth uncover uncross uncrown uncrushed uncured
        uncurious uncurled uncut undamaged undated undaunted undead undecided undefined underage underarm undercoat
        undercook undercut underdog underdone underfed underfeed underfoot undergo undergrad underhand underline
        underling undermine undermost underpaid underpass underpay underrate undertake undertone undertook undertow
        underuse underwear underwent underwire undesired undiluted undivided undocked undoing undone undrafted undress
        undrilled undusted undying unearned unearth unease uneasily uneasy uneatable uneaten unedited unelected unending
        unengaged unenvied unequal unethical uneven unexpired unexposed unfailing unfair unfasten unfazed unfeeling
        unfiled unfilled unfitted unfitting unfixable unfixed unflawed unfocused unfold unfounded unframed unfreeze
        unfrosted unfrozen unfunded unglazed ungloved unglue ungodly ungraded ungreased unguarded unguided unhappily
        unhappy unharmed unhealthy unheard unhearing unheated unhelpful unhidden unhinge unhitched unholy unhook unicorn
        unicycle unified unifier uniformed uniformly unify unimpeded uninjured uninstall uninsured uninvited union
        uniquely unisexual unison unissued unit universal universe unjustly unkempt unkind unknotted unknowing unknown
        unlaced unlatch unlawful unleaded unlearned unleash unless unleveled unlighted unlikable unlimited unlined
        unlinked unlisted unlit unlivable unloaded unloader unlocked unlocking unlovable unloved unlovely unloving
        unluckily unlucky unmade unmanaged unmanned unmapped unmarked unmasked unmasking unmatched unmindful unmixable
        unmixed unmolded unmoral unmovable unmoved unmoving unnamable unnamed unnatural unneeded unnerve unnerving
        unnoticed unopened unopposed unpack unpadded unpaid unpainted unpaired unpaved unpeeled unpicked unpiloted
        unpinned unplanned unplanted unpleased unpledged unplowed unplug unpopular unproven unquote unranked unrated
        unraveled unreached unread unreal unreeling unrefined unrelated unrented unrest unretired unrevised unrigged
        unripe unrivaled unroasted unrobed unroll unruffled unruly unrushed unsaddle unsafe unsaid unsalted unsaved
        unsavory unscathed unscented unscrew unsealed unseated unsecured unseeing unseemly unseen unselect unselfish
        unsent unsettled unshackle unshaken unshaved unshaven unsheathe unshipped unsightly unsigned unskilled unsliced
        unsmooth unsnap unsocial unsoiled unsold unsolved unsorted unspoiled unspoken unstable unstaffed unstamped
        unsteady unsterile unstirred unstitch unstopped unstuck unstuffed unstylish unsubtle unsubtly unsuited unsure
        unsworn untagged untainted untaken untamed untangled untapped untaxed unthawed unthread untidy untie until
        untimed untimely untitled untoasted untold untouched untracked untrained untreated untried untrimmed untrue
        untruth unturned untwist untying unusable unused unusual unvalued unvaried unvarying unveiled unveiling unvented
        unviable unvisited unvocal unwanted unwarlike unwary unwashed unwatched unweave unwed unwelcome unwell unwieldy
        unwilling unwind unwired unwitting unwomanly unworldly unworn unworried unworthy unwound unwoven unwrapped
        unwritten unzip upbeat upchuck upcoming upcountry update upfront upgrade upheaval upheld uphill uphold uplifted
        uplifting upload upon upper upright uprising upriver uproar uproot upscale upside upstage upstairs upstart
        upstate upstream upstroke upswing uptake uptight uptown upturned upward upwind uranium urban urchin urethane
        urgency urgent urging urologist urology usable usage useable used uselessly user usher usual utensil utility
        utilize utmost utopia utter vacancy vacant vacate vacation vagabond vagrancy vagrantly vaguely vagueness valiant
        valid valium valley valuables value vanilla vanish vanity vanquish vantage vaporizer variable variably varied
        variety various varmint varnish varsity varying vascular vaseline vastly vastness veal vegan veggie vehicular
        velcro velocity velvet vendetta vending vendor veneering vengeful venomous ventricle venture venue venus
        verbalize verbally verbose verdict verify verse version versus vertebrae vertical vertigo very vessel vest
        veteran veto vexingly viability viable vibes vice vicinity victory video viewable viewer viewing viewless
        viewpoint vigorous village villain vindicate vineyard vintage violate violation violator violet violin viper
        viral virtual virtuous virus visa viscosity viscous viselike visible visibly vision visiting visitor visor vista
        vitality vitalize vitally vitamins vivacious vividly vividness vixen vocalist vocalize vocally vocation voice
        voicing void volatile volley voltage volumes voter voting voucher vowed vowel voyage wackiness wad wafer waffle
        waged wager wages waggle wagon wake waking walk walmart walnut walrus waltz wand wannabe wanted wanting wasabi
        washable washbasin washboard washbowl washcloth washday washed washer washhouse washing washout washroom
        washstand washtub wasp wasting watch water waviness waving wavy whacking whacky wham wharf wheat whenever whiff
        whimsical whinny whiny whisking whoever whole whomever whoopee whooping whoops why wick widely widen widget
        widow width wieldable wielder wife wifi wikipedia wildcard wildcat wilder wildfire wildfowl wildland wildlife
        wildly wildness willed willfully willing willow willpower wilt wimp wince wincing wind wing winking winner
        winnings winter wipe wired wireless wiring wiry wisdom wise wish wisplike wispy wistful wizard wobble wobbling
        wobbly wok wolf wolverine womanhood womankind womanless womanlike womanly womb woof wooing wool woozy word work
        worried worrier worrisome worry worsening worshiper worst wound woven wow wrangle wrath wreath wreckage wrecker
        wrecking wrench wriggle wriggly wrinkle wrinkly wrist writing written wrongdoer wronged wrongful wrongly
        wrongness wrought xbox xerox yahoo yam yanking yapping yard yarn yeah yearbook yearling yearly yearning yeast
        yelling yelp yen yesterday yiddish yield yin yippee yodel yoga yogurt yolk yonder yoyo yummy zap zealous zebra
        zen zeppelin zero zestfully zesty zigzagged zipfile zipping zippy zips zit zodiac zombie zone zoning zookeeper
        zoologist zoology zoom
        """
}
